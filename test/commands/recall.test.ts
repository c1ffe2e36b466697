import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RecallRecord, recallEvent } from '../../src/commands/index.ts'
import { blockId, recallSchema, shortHash } from '../../src/events/index.ts'
import { anyText, STAMP } from './arbitrary.ts'

const RECORD: RecallRecord = {
  mode: 'inject',
  query: 'where is the runbook',
  symbols: ['4324'],
  hits: [{ block: blockId('x'), score: 1.01, exact: true, why: 'holds 4324' }],
  message: 'm1',
  tokens: 12,
  outcome: 'hits',
  degraded: [],
}

/** Ordinary, and far beyond every bound. */
const long = fc.oneof(
  anyText,
  fc.integer({ min: 90, max: 2_100 }).map(length => '😀'.repeat(length)),
  fc.integer({ min: 90, max: 4_100 }).map(length => `x${'😀'.repeat(length)}`),
)

const hostile: fc.Arbitrary<RecallRecord> = fc.record({
  mode: fc.constantFrom('inject', 'tool', 'api'),
  query: long,
  symbols: fc.array(long, { maxLength: 80 }),
  hits: fc.array(fc.record({ block: anyText.map(blockId), score: fc.double(), exact: fc.boolean(), why: long }), {
    maxLength: 250,
  }),
  message: long,
  tokens: fc.oneof(fc.nat(), fc.double()),
  outcome: long,
  degraded: fc.array(long, { maxLength: 40 }),
})

describe('the event of a recall', () => {
  it('holds the question as a hash and its length, never its words', () => {
    const event = recallEvent(RECORD, STAMP)
    expect(event.query).toEqual({ hash: shortHash(RECORD.query), chars: RECORD.query.length, symbols: ['4324'] })
    expect(JSON.stringify(event)).not.toContain('runbook')
  })

  it('leaves out message and tokens when nothing was injected', () => {
    const { message: _, tokens: __, ...record } = RECORD
    const event = recallEvent({ ...record, mode: 'tool' }, STAMP)
    expect(event).not.toHaveProperty('message')
    expect(event).not.toHaveProperty('tokens')
  })

  it('keeps ordinary values as they are', () => {
    expect(recallEvent(RECORD, STAMP)).toMatchObject({ hits: RECORD.hits, message: 'm1', tokens: 12, outcome: 'hits' })
  })

  it('is valid, bounded and well-formed whatever it is told', () => {
    fc.assert(
      fc.property(hostile, record => {
        const event = recallEvent(record, STAMP)
        expect(recallSchema.safeParse(event).error).toBeUndefined()
        const json = JSON.stringify(event)
        expect(json.isWellFormed() && !/\\ud[89a-f]/.test(json)).toBe(true)
        expect(json.length).toBeLessThan(3_000_000)
        expect(JSON.parse(json)).toEqual(event)
      }),
      { numRuns: 60 },
    )
  })
})
