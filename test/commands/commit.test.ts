import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandRefusedError, type CommitInput, decideCommit, isCommandRefused } from '../../src/commands/index.ts'
import { blockId, commitSchema } from '../../src/events/index.ts'
import { anyText, STAMP } from './arbitrary.ts'

const LIMITS = { maxBytes: 1_000 }

const decide = (input: CommitInput) => decideCommit(input, 'tool', LIMITS)
const eventOf = (input: CommitInput) => decide(input).stamp(STAMP)

/** The refusal of an input; fails when it is taken. */
function refusalOf(input: unknown): CommandRefusedError {
  try {
    decide(input as CommitInput)
  } catch (error) {
    if (isCommandRefused(error)) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('which texts are one memory (case 9)', () => {
  it('white space and Unicode form do not make a new one', () => {
    const same = ['port is 8080', 'port is 8080 ', 'port  is 8080', '\tport\nis　8080', 'port is 8080']
    expect(new Set(same.map(text => decide({ text }).block)).size).toBe(1)
    expect(decide({ text: 'cafe\u0301' }).block).toBe(decide({ text: 'caf\u00e9' }).block)
  })

  it('case does', () => {
    expect(decide({ text: 'Port is 8080' }).block).not.toBe(decide({ text: 'port is 8080' }).block)
  })

  it('the text is kept as it was given', () => {
    for (const text of ['  port  is 8080 ', 'cafe\u0301', '端口为１３０１０']) expect(eventOf({ text }).text).toBe(text)
  })
})

describe('text that cannot be kept', () => {
  it('NUL is refused, with its position (case 32)', () => {
    expect(refusalOf({ text: 'before \0\0 after' })).toMatchObject({ code: 'nul' })
    expect(refusalOf({ text: 'before \0\0 after' }).message).toContain('position 7')
  })

  it('a lone surrogate becomes U+FFFD before anything is derived from it (case 33)', () => {
    const draft = decide({ text: 'ok \ud83d end' })
    expect(draft.stamp(STAMP).text).toBe('ok \ufffd end')
    expect(draft.block).toBe(blockId('ok \ufffd end'))
    expect(decide({ text: 'ok \ude00 end' }).block).toBe(draft.block)
  })

  it('a whole pair is left alone', () => {
    expect(eventOf({ text: 'ok 😀 end' }).text).toBe('ok 😀 end')
  })

  it('the limit is in bytes, and the refusal names both sizes', () => {
    expect(decide({ text: 'é'.repeat(500) }).block).toBe(blockId('é'.repeat(500)))
    const refusal = refusalOf({ text: `${'é'.repeat(500)}x` })
    expect(refusal.code).toBe('too_large')
    expect(refusal.message).toContain('1001 bytes')
    expect(refusal.message).toContain('1000')
  })

  it.each([
    ['empty', ''],
    ['blank', ' \t\r\n'],
    ['ideographic blanks', '\u3000\u3000'],
    ['zero-width characters only', '\u200b\u200d\u2060\ufeff'],
    ['direction marks only', '\u202e\u2066'],
    ['control characters only', '\u0001\u001b\u009f'],
  ])('there must be something to see: %s', (_, text) => {
    expect(refusalOf({ text })).toMatchObject({ code: 'empty_text' })
  })

  it.each([undefined, null, 8080, {}, ['text'], new String('text')])('it must be a string, not %o', text => {
    expect(refusalOf({ text })).toMatchObject({ code: 'not_text' })
  })
})

describe('metadata', () => {
  it('is trimmed, and left out when empty: an empty value never says anything', () => {
    const event = eventOf({ text: 'x', source: ' ops.md ', scene: '', semanticType: '  ' })
    expect(event.source).toBe('ops.md')
    expect(event).not.toHaveProperty('scene')
    expect(event).not.toHaveProperty('semanticType')
    expect(event).not.toHaveProperty('tool')
  })

  it.each([
    ['a number', { scene: 7 }],
    ['an object', { source: {} }],
    ['too long', { semanticType: 'x'.repeat(501) }],
    ['NUL', { tool: 'a\0b' }],
    ['a fractional time', { frame: { ts: 1.5 } }],
    ['a negative page', { frame: { pageSeq: -1 } }],
    ['a frame that is none', { frame: 'user' }],
    ['a speaker that is too long', { frame: { speaker: 'x'.repeat(501) } }],
  ])('is refused when it is not short text: %s', (_, fields) => {
    const refusal = refusalOf({ text: 'x', ...fields })
    expect(refusal.code).toBe('bad_field')
    expect(refusal.message).toContain(Object.keys(fields)[0])
  })

  it('null counts as not given', () => {
    expect(
      decideCommit({ text: 'x', source: null } as unknown as CommitInput, 'api', LIMITS).stamp(STAMP),
    ).not.toHaveProperty('source')
  })
})

describe('every commit', () => {
  const hostile = fc.record(
    {
      text: fc.oneof(anyText, fc.anything()),
      source: fc.oneof(anyText, fc.anything()),
      tool: anyText,
      scene: fc.oneof(anyText, fc.string({ minLength: 480, maxLength: 520 })),
      semanticType: anyText,
      frame: fc.oneof(
        fc.anything(),
        fc.record({ ts: fc.double(), pageSeq: fc.integer(), role: anyText, speaker: anyText }),
      ),
    },
    { requiredKeys: ['text'] },
  )

  it('is refused with a reason, or is an event that its schema accepts and JSON keeps', () => {
    fc.assert(
      fc.property(hostile, input => {
        let event: unknown
        try {
          event = eventOf(input as CommitInput)
        } catch (error) {
          expect(error).toBeInstanceOf(CommandRefusedError)
          return
        }
        expect(commitSchema.safeParse(event).error).toBeUndefined()
        expect(JSON.parse(JSON.stringify(event))).toEqual(event)
        expect(JSON.stringify(event).isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('belongs to the block that follows from the text that is kept', () => {
    fc.assert(
      fc.property(anyText, text => {
        let draft: ReturnType<typeof decide>
        try {
          draft = decide({ text })
        } catch {
          return
        }
        expect(blockId(draft.stamp(STAMP).text)).toBe(draft.block)
      }),
    )
  })
})
