/** The fold against the definition, and folds with one law broken each: that these are found shows what the properties are worth. */
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newEventId, type StoredEvent } from '../../../src/events/index.ts'
import { type FoldOutcome, type FoldTally, Projector } from '../../../src/readmodels/projector/index.ts'
import { arbEvents, arbReordered, runs } from '../../support/events.ts'
import { dumpOf, foldPieces } from './folding.ts'
import { expectedBlocks, storedBlocks } from './oracle.ts'

interface Payload {
  readonly id: string
  readonly clock: number
  readonly at: { readonly time: number }
}

/** A projector that is given something else than what happened. */
function lying(lie: (data: Payload, met: number) => object): (db: Database) => Projector {
  class Lying extends Projector {
    private met = 0
    override fold({ type, data, seq }: StoredEvent, tally: FoldTally, journaled: boolean): FoldOutcome {
      this.met += 1
      const payload = data as Payload
      return super.fold({ type, seq, data: { ...payload, ...lie(payload, this.met) } }, tally, journaled)
    }
  }
  return db => new Lying(db)
}

/** Refuses what it cannot place yet. */
class ChecksEndpoints extends Projector {
  private readonly file: Database
  constructor(db: Database) {
    super(db)
    this.file = db
  }
  override fold(event: StoredEvent, tally: FoldTally, journaled: boolean): FoldOutcome {
    const blocks = Number(this.file.prepare('SELECT count(*) FROM memory_blocks').pluck().get())
    if (event.type !== 'hologram/commit' && blocks === 0) return { status: 'skipped', reason: 'failed' }
    return super.fold(event, tally, journaled)
  }
}

const honest = (db: Database) => new Projector(db)
const byArrival = lying((_, met) => ({ clock: met }))
const byWallClock = lying(({ at }) => ({ clock: at.time - 1_699_999_999_999 }))
const countsCopies = lying(() => ({ id: newEventId() }))

/** One dump in any order, twice over: what `any-order.test.ts` asserts. */
function anyOrder(make: (db: Database) => Projector, numRuns: number) {
  return fc.check(
    fc.property(
      arbReordered(arbEvents(12)),
      ({ items, reordered }) => dumpOf([items], make) === dumpOf([reordered], make),
    ),
    { numRuns, endOnFailure: true },
  )
}

/** The blocks that the events say there are. */
function asDefined(make: (db: Database) => Projector, { numRuns }: { readonly numRuns: number }) {
  return fc.check(
    fc.property(arbReordered(arbEvents(15, ['commit'])), ({ items, reordered }) => {
      const { db } = foldPieces([reordered], make)
      const [stored, expected] = [storedBlocks(db), expectedBlocks(items)]
      db.close()
      expect(stored).toEqual(expected)
    }),
    { numRuns, endOnFailure: true },
  )
}

describe('the definition of a block', () => {
  it('is what the fold keeps to', () => {
    const result = asDefined(honest, runs(100))
    expect(result.failed, fc.defaultReportMessage(result)).toBe(false)
  })

  it.each([
    ['orders by the clock on the wall', byWallClock],
    ['orders by arrival', byArrival],
  ])('finds a fold that %s', (_, make) => {
    expect(asDefined(make, { numRuns: 300 }).failed).toBe(true)
  })
})

describe('the property of any order', () => {
  it.each([
    ['orders by arrival', byArrival],
    ['counts an event again for each copy', countsCopies],
    ['checks endpoints', (db: Database) => new ChecksEndpoints(db)],
  ])('finds a fold that %s', (_, make) => {
    expect(anyOrder(make, 300).failed).toBe(true)
  })
})
