/** What all commits of one text amount to: last writer wins field by field, and the shortcut for late commits is no other rule. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareOrder } from '../../../src/events/index.ts'
import { blockState, extend, type SaidOnce } from '../../../src/readmodels/projector/block-state.ts'
import { arbFrame, commit, eventId, runs } from '../../support/events.ts'
import { block, fold } from './folding.ts'

const arbSaid: fc.Arbitrary<SaidOnce> = fc.record({
  clock: fc.integer({ min: 1, max: 4 }),
  id: fc.nat({ max: 999 }).map(eventId),
  time: fc.nat({ max: 9 }),
  text: fc.constantFrom('a b', ' a  b', 'a b\n'),
  source: fc.constantFrom('', 'left', 'right'),
  tool: fc.constantFrom('', 't'),
  scene: fc.constantFrom('', 'x', 'y'),
  semanticType: fc.constantFrom('', 'fact'),
  session: fc.constantFrom('', 's1', 's2'),
  frame: fc.option(arbFrame, { freq: 2 }),
})
const arbCommits = fc.uniqueArray(arbSaid, { minLength: 1, maxLength: 8, size: 'max', selector: ({ id }) => id })

describe('the state of a block', () => {
  it('is the same whether commits come one by one in order or all at once in any', () => {
    fc.assert(
      fc.property(
        arbCommits.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const inOrder = [...all].sort(compareOrder)
          const [first, ...rest] = inOrder
          const extended = rest.reduce(extend, extend(undefined, first as SaidOnce))
          expect(blockState(shuffled)).toEqual(extended)
        },
      ),
      runs(300),
    )
  })

  it('has of every field the last value in event order that is not empty', () => {
    fc.assert(
      fc.property(arbCommits, all => {
        const inOrder = [...all].sort(compareOrder)
        const state = blockState(all)
        for (const field of ['source', 'tool', 'scene', 'semanticType'] as const) {
          expect(state?.[field]).toBe(inOrder.findLast(said => said[field] !== '')?.[field] ?? '')
        }
        expect(state?.text).toBe(inOrder[0]?.text)
        expect(state?.createdAt).toBe(inOrder[0]?.time)
        expect(state?.updatedAt).toBe(inOrder.at(-1)?.time)
        expect(state?.frame).toEqual(inOrder.find(({ frame }) => frame !== null)?.frame ?? null)
      }),
      runs(300),
    )
  })

  it('of no commits is none', () => {
    expect(blockState([])).toBeUndefined()
  })
})

describe('a block in the table', () => {
  it('never loses a value to an empty one, and wall clock decides nothing', () => {
    const at = (time: number) => ({ session: 's', time })
    const { db } = fold(
      commit(3, 'x y', { scene: '', semanticType: 'fact', at: at(1) }),
      commit(2, 'x y', { scene: 'ops', source: 'late by the clock on the wall', at: at(9) }),
      commit(1, ' x  y ', { scene: 'dev', source: 'first', tool: 't', at: at(5) }),
    )
    expect(block(db, ' x  y ')).toMatchObject({
      scene: 'ops',
      source: 'late by the clock on the wall',
      tool: 't',
      semantic_type: 'fact',
      created_at: 5,
      updated_at: 1,
      first_event: eventId(1),
      last_event: eventId(3),
    })
  })

  it('has its place in a conversation from the first commit that names one, also when that comes late', () => {
    const framed = commit(2, 'x y', { frame: { pageSeq: 4, speaker: 'Ann', conversation: 'talk' } })
    for (const events of [
      [commit(1, 'x y'), framed],
      [framed, commit(1, 'x y')],
    ]) {
      const { db } = fold(...events, commit(3, 'x y', { frame: { pageSeq: 9, speaker: 'Bob' } }))
      expect(block(db, 'x y')).toMatchObject({ session: 'talk', page_seq: 4, speaker: 'Ann' })
      const indexed = db.prepare('SELECT session, position, speaker FROM recall_terms').all()
      expect(indexed).toEqual([{ session: 'talk', position: 4, speaker: 'Ann' }])
    }
  })

  it('is found by NUL and lone surrogates no worse, and the index stays sound', () => {
    const { db, tally } = fold(
      commit(1, 'before \u0000\u0000 after'),
      commit(2, `left ${'\u0000'.repeat(10_240)} right`),
    )
    expect(tally.folded).toBe(2)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(block(db, 'before \u0000\u0000 after')).toBeDefined()
  })
})
