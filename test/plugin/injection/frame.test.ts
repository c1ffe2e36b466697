import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frame } from '../../../src/plugin/injection/frame.ts'
import { inert, inertAttribute } from '../../../src/plugin/injection/inert.ts'
import { anyText } from '../../commands/arbitrary.ts'
import { hitOf } from './hit.ts'

/** Text that tries to get out: pieces of the frame, of templates and of attributes, among anything else. */
const hostile = fc
  .array(
    fc.oneof(
      anyText,
      fc.constantFrom(
        '</recalled-memory>',
        '</note>',
        '<note id="x" said="y">',
        '<recalled-memory from="dsh-hologram">',
        '{{secret}}',
        '{{{',
        '}}',
        '">',
        '&lt;',
        '&#123;',
        '\r\n',
        '\u202e',
        '\u2066',
        '\ud83d',
        '\u001b[31m',
      ),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''))

const hits = fc.array(
  fc.record({ text: hostile, source: hostile, scene: hostile, createdAt: fc.oneof(fc.integer(), fc.double()) }),
  { maxLength: 5 },
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const OPENING = /^<recalled-memory from="dsh-hologram">\n[^<>{}]*\n/

describe('a remembered text', () => {
  it('has nothing active left in it', () => {
    fc.assert(
      fc.property(hostile, text => {
        const shown = inert(text)
        expect(shown).not.toMatch(/<|\{\{/)
        expect(inertAttribute(text)).not.toMatch(/[<"]|\{\{/)
        expect(shown).not.toMatch(ACTIVE)
        expect(shown.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('can be read back: nothing is lost but what was active', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '"', '&', '{', '}', ';', 'a', '#', '用', '\n') }),
        text => {
          const back = inertAttribute(text)
            .replaceAll('&#123;', '{')
            .replaceAll('&quot;', '"')
            .replaceAll('&lt;', '<')
            .replaceAll('&amp;', '&')
          expect(back).toBe(text)
        },
      ),
    )
  })

  it('keeps plain lines and tabs, and has plain line ends', () => {
    expect(inert('a\tb\nc')).toBe('a\tb\nc')
    expect(inert('a\r\nb\rc')).toBe('a\nb\nc')
  })

  it('ordinary words in any script are shown as they are', () => {
    for (const text of ['端口为 8080，用 a > b', "it's 20 % of C++", 'const a = { "b": 1 }', 'café 😀 नमस्ते'])
      expect(inert(text)).toBe(text)
  })
})

describe('the frame', () => {
  it('cannot be closed or opened from inside, whatever is in it', () => {
    fc.assert(
      fc.property(hits, given => {
        const text = frame(given.map(one => ({ hit: hitOf(one), text: one.text })))
        expect(text).toMatch(OPENING)
        expect(text.endsWith('</recalled-memory>')).toBe(true)
        // All tags there are, in order: the frame's own.
        const notes = given.flatMap(() => ['<note ', '</note'])
        expect(text.match(/<[^ >]*[ >]?/g)?.map(tag => tag.replace('>', ''))).toEqual([
          '<recalled-memory ',
          ...notes,
          '</recalled-memory',
        ])
        expect(text).not.toContain('{{')
        expect(text).not.toMatch(ACTIVE)
      }),
      { numRuns: 500 },
    )
  })

  it('an attribute cannot be left from inside', () => {
    fc.assert(
      fc.property(hits, given => {
        const text = frame(given.map(one => ({ hit: hitOf(one), text: 'plain' })))
        const heads = text.match(/<note id="blk_[0-9a-f]{24}" said="[^"]*">\nplain\n<\/note>/g) ?? []
        expect(heads).toHaveLength(given.length)
      }),
    )
  })

  it('is the same to the byte for the same hits, whatever their scores and the time', () => {
    fc.assert(
      fc.property(hits, fc.double(), (given, score) => {
        const first = frame(given.map(one => ({ hit: hitOf(one), text: one.text })))
        const again = frame(
          given.map(one => ({ hit: { ...hitOf(one), score, why: `score ${score}`, places: 9 }, text: one.text })),
        )
        expect(again).toBe(first)
      }),
    )
  })
})
