/** The fold is commutative and idempotent: law 1 for the read model alone. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbEvents, arbPieces, arbReordered, runs } from '../../support/events.ts'
import { answers, dump, dumpOf, fold, foldPieces } from './folding.ts'

describe('the fold', () => {
  it('gives one dump in whatever order, however often and in whatever pieces it meets the events', () => {
    fc.assert(
      fc.property(
        arbReordered(arbEvents()).chain(({ items, reordered }) =>
          fc.record({ items: fc.constant(items), pieces: arbPieces(reordered) }),
        ),
        ({ items, pieces }) => {
          expect(dumpOf(pieces)).toBe(dumpOf([items]))
        },
      ),
      runs(150),
    )
  })

  it('gives the same answers to every question, apart from milliseconds', () => {
    fc.assert(
      fc.property(arbReordered(arbEvents(16)), ({ items, reordered }) => {
        const left = fold(...items)
        const right = fold(...reordered)
        expect(answers(right.db)).toEqual(answers(left.db))
        left.db.close()
        right.db.close()
      }),
      runs(60),
    )
  })

  it('counts an event once, and says of every further sighting that it is known', () => {
    fc.assert(
      fc.property(arbReordered(arbEvents()), ({ items, reordered }) => {
        const { db, tally, outcomes } = foldPieces([reordered])
        expect(tally).toEqual({ folded: items.length, known: reordered.length - items.length, skipped: {} })
        expect(outcomes.filter(({ status }) => status === 'folded')).toHaveLength(items.length)
        const before = dump(db)
        const again = fold(...reordered, ...items)
        expect(dump(again.db)).toBe(before)
        db.close()
        again.db.close()
      }),
      runs(50),
    )
  })

  it('says of exactly one commit of a text that it created the block, in each namespace', () => {
    fc.assert(
      fc.property(arbReordered(arbEvents(20, ['commit', 'recall', 'merge'])), ({ reordered }) => {
        const { db, outcomes } = foldPieces([reordered])
        const created = outcomes.filter(outcome => outcome.status === 'folded' && outcome.created === true)
        expect(created).toHaveLength(Number(db.prepare('SELECT count(*) FROM memory_blocks').pluck().get()))
        db.close()
      }),
      runs(50),
    )
  })
})
