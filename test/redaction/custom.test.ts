import { describe, expect, it } from 'vitest'
import { isCommandRefused } from '../../src/commands/index.ts'
import { Config } from '../../src/plugin/config.ts'
import { type CustomPattern, MAX_PATTERNS, redact, rulesFor } from '../../src/redaction/index.ts'

const withPatterns = (...patterns: CustomPattern[]) => rulesFor({ enabled: true, patterns })
const clean = (text: string, ...patterns: CustomPattern[]) => redact(text, withPatterns(...patterns))

describe('patterns of the user', () => {
  it('are taken out beside the built-in ones, and named', () => {
    const badge = { name: 'badge', pattern: 'ACME-\\d{6}' }
    expect(clean('badge ACME-123456, password=hunter2', badge)).toEqual({
      text: 'badge [redacted:badge], password=[redacted:password]',
      kinds: ['badge', 'password'],
    })
  })

  it('name what a built-in rule finds, too', () => {
    expect(clean('password=corp-12ab', { name: 'corp', pattern: 'corp-[0-9a-z]+' }).text).toBe(
      'password=[redacted:corp]',
    )
  })

  it('are narrowed by a group named secret, and count in UTF-16 units', () => {
    const staff = { name: 'staff', pattern: '工号[:：]\\s*(?P<secret>\\d{6})' }
    expect(clean('😀工号：123456，李', staff).text).toBe('😀工号：[redacted:staff]，李')
    expect(clean('工号: 123456', { ...staff, pattern: '工号: (?<secret>\\d{6})' }).text).toBe('工号: [redacted:staff]')
  })

  it('heed their flags', () => {
    expect(clean('Corp-A corp-a', { name: 'corp', pattern: 'corp-a', flags: 'i' }).text).toBe(
      '[redacted:corp] [redacted:corp]',
    )
    expect(clean('a\nb', { name: 'ab', pattern: 'a.b', flags: 's' }).text).toBe('[redacted:ab]')
    expect(clean('x\na1', { name: 'line', pattern: '^a\\d', flags: 'm' }).text).toBe('x\n[redacted:line]')
  })

  it('change nothing the second time, even when they match their own marker', () => {
    const greedy = { name: 'any', pattern: '[a-z]+:?' }
    const once = clean('one two [redacted:password]', greedy).text
    expect(clean(once, greedy)).toEqual({ text: once, kinds: [] })
  })

  it.each<[string, CustomPattern | object, RegExp]>([
    ['does not compile', { name: 'x', pattern: '[a' }, /patterns\[0\] is not a pattern/],
    ['looks around', { name: 'x', pattern: '(?=a)b' }, /no look-around/],
    ['refers back', { name: 'x', pattern: '(a)\\1' }, /no back references/],
    ['matches the empty string', { name: 'x', pattern: 'a*' }, /matches the empty string/],
    ['matches between characters', { name: 'x', pattern: '\\b' }, /matches the empty string/],
    ['is too long', { name: 'x', pattern: 'a'.repeat(1_001) }, /1 to 1000 characters/],
    ['is empty', { name: 'x', pattern: '' }, /1 to 1000 characters/],
    ['is too large when compiled', { name: 'x', pattern: '(?:a{1,100}b){1,10}' }, /too large/],
    ['reads the rest of the text at every place', { name: 'x', pattern: '.*?X|a' }, /takes more than/],
    ['has a bad name', { name: 'My Key', pattern: 'a' }, /name must match/],
    ['has a bad flag', { name: 'x', pattern: 'a', flags: 'g' }, /flags/],
    ['has a member that does not exist', { name: 'x', regex: 'a', pattern: 'a' }, /no member "regex"/],
  ])('are refused at load when one %s', (_, pattern, message) => {
    expect(() => withPatterns(pattern as CustomPattern)).toThrow(message)
    expect(() => rulesFor({ enabled: false, patterns: [pattern as CustomPattern] })).toThrow(message)
  })

  it('are refused when there are too many, or two of one name', () => {
    const many = Array.from({ length: MAX_PATTERNS + 1 }, (_, index) => ({ name: `n${index}`, pattern: `a${index}` }))
    expect(() => withPatterns(...many)).toThrow(/51 patterns/)
    expect(() => withPatterns({ name: 'a', pattern: 'a' }, { name: 'a', pattern: 'b' })).toThrow(/taken/)
  })

  it.each(['(a+)+$', '(a|a)*b', '(a|aa)+$', '(.*)*x', '(?:[a-z]+)*\\d{9}'])(
    'cannot be made to backtrack: %s is refused, or fast',
    pattern => {
      const start = performance.now()
      try {
        redact(`${'a'.repeat(SIZE)}!`, withPatterns({ name: 'x', pattern }))
      } catch (error) {
        if (!(error instanceof Error)) throw error
      }
      expect(performance.now() - start).toBeLessThan(5_000)
    },
  )

  it('refuse a text on which they take too long, rather than let it through', () => {
    // Fast on the texts it is tried on; on this one every find reads to the end.
    const rules = withPatterns({ name: 'x', pattern: 'q(?:.*?X)?', flags: 's' })
    const caught = (() => {
      try {
        return redact('q'.repeat(SIZE * 4), rules)
      } catch (error) {
        return error
      }
    })()
    expect(isCommandRefused(caught) && caught.code).toBe('not_redacted')
    expect(String(caught)).toContain('"x"')
  })
})

const SIZE = 65_536

const configOf = (settings: object): Config => new Config(settings as never)

describe('the settings', () => {
  it('have redaction on, without patterns', () => {
    expect(configOf({}).redaction).toEqual({ enabled: true, patterns: [] })
  })

  it('are refused with a message that names the pattern', () => {
    const config = configOf({ redaction: { patterns: [{ name: 'mine', pattern: '(' }] } })
    expect(() => rulesFor(config.redaction)).toThrow(/redaction\.patterns\[0\] is not a pattern/)
  })

  it('can turn it off', () => {
    const text = 'password=hunter2'
    expect(redact(text, rulesFor({ enabled: false, patterns: [] }))).toEqual({ text, kinds: [] })
  })

  it('are compiled once', () => {
    const settings = { enabled: true, patterns: [{ name: 'x', pattern: 'x\\d' }] }
    expect(rulesFor(settings)).toBe(rulesFor(settings))
  })
})
