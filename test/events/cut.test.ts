/** Case 33 as a rule: whatever is cut, a character as people see it is whole or not there. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leading, trailing } from '../../src/events/index.ts'

const FAMILY = '👩‍👩‍👧‍👦'
const character = fc.constantFrom(
  'a',
  '端',
  '😀',
  'e\u0301',
  FAMILY,
  '🇩🇪',
  '👍🏽',
  'नि',
  '각'.normalize('NFD'),
  '𠮷',
  ' ',
)
const written = fc.array(character, { maxLength: 60 })
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const charactersOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)

describe('a cut', () => {
  it.each([
    ['a pair', `ab😀`, 3, 'ab', '😀', 2],
    ['an accent', `abe\u0301`, 3, 'ab', 'e\u0301', 2],
    ['a joined emoji', `ab${FAMILY}`, 8, 'ab', FAMILY, FAMILY.length],
    ['a flag', 'ab🇩🇪', 4, 'ab', '🇩🇪', 4],
  ])('never splits %s', (_, text, length, head, tail, units) => {
    expect(leading(text, length)).toBe(head)
    expect(trailing(text, units)).toBe(units < tail.length ? '' : tail)
    expect(leading(text, text.length)).toBe(text)
    expect(trailing(text, text.length)).toBe(text)
  })

  it('keeps as many whole characters as there is room for, at either end', () => {
    fc.assert(
      fc.property(written, fc.nat({ max: 120 }), (parts, length) => {
        const text = parts.join('')
        const all = charactersOf(text)
        const fits = (some: readonly string[]) => some.join('').length <= length
        const most = all.map((_, n) => n + 1).findLast(n => fits(all.slice(0, n))) ?? 0
        const last = all.map((_, n) => n + 1).findLast(n => fits(all.slice(all.length - n))) ?? 0
        // A character that alone is too long is cut between code points.
        if (most > 0 || length === 0) expect(leading(text, length)).toBe(all.slice(0, most).join(''))
        if (last > 0 || length === 0) expect(trailing(text, length)).toBe(all.slice(all.length - last).join(''))
      }),
      { numRuns: 1_000 },
    )
  })

  it('within one endless character keeps what there is room for, well-formed', () => {
    for (const mark of ['\u0301', '\u{e0100}']) {
      const text = `a${mark.repeat(1_000)}`
      for (const length of [1, 2, 3, 499, 500]) {
        for (const cut of [leading(text, length), trailing(text, length)]) {
          expect(cut.isWellFormed()).toBe(true)
          expect(cut.length).toBeGreaterThanOrEqual(length - 1)
          expect(cut.length).toBeLessThanOrEqual(length)
        }
      }
    }
  })

  it('of a large text costs nothing', () => {
    const text = `${'e\u0301端😀'.repeat(400_000)}`
    const began = performance.now()
    for (let n = 0; n < 20; n++) expect(leading(text, 1_000_001 + n).length).toBeGreaterThan(999_990)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
