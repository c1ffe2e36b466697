/** Vectors come and go with their blocks, in whatever order events are met. */
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockId, type StoredEvent } from '../../../src/events/index.ts'
import { arbEvents, arbReordered, commit, embedded, eventId, NS_A, NS_B, runs } from '../../support/events.ts'
import { count, fold } from '../projector/folding.ts'
import { near, nearTexts, purged, said } from './support.ts'

const TIME = 1_700_000_000_000
const common = (n: number) => ({ v: 1, id: eventId(n), clock: n, ns: NS_A, at: { time: TIME + n }, origin: 'tool' })
const merge = (n: number, keep: string, drop: string): StoredEvent => ({
  type: 'hologram/merge',
  data: { ...common(n), keep: blockId(keep), drop: blockId(drop) },
})

/** Every order of a few events. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((first, at) => orders(items.toSpliced(at, 1)).map(rest => [first, ...rest]))
}

function inEveryOrder(events: readonly StoredEvent[], check: (db: Database) => void): void {
  for (const order of orders(events)) {
    const { db } = fold(...order)
    check(db)
    db.close()
  }
}

describe('of several vectors of a block in a space', () => {
  it('the latest in event order counts, from a commit or on its own', () => {
    inEveryOrder([said(1, 'x', [1, 0]), embedded(3, 'x', [0, 1]), said(2, 'x', [-1, 0])], db => {
      expect(near(db, [0, 1]).hits).toMatchObject([{ cosine: 1 }])
    })
    inEveryOrder([said(4, 'x', [1, 0]), embedded(3, 'x', [0, 1])], db => {
      expect(near(db, [1, 0]).hits).toMatchObject([{ cosine: 1 }])
    })
  })

  it('one that came before its block is found as soon as that is there', () => {
    const { db, projector, tally } = fold(embedded(3, 'x', [0, 1]))
    expect(near(db, [0, 1])).toMatchObject({ hits: [] })
    projector.fold(commit(1, 'x'), tally, false)
    expect(nearTexts(db, [0, 1])).toEqual(['x'])
    db.close()
  })
})

describe('a purge', () => {
  it('takes the vectors that came before it, bytes and all', () => {
    inEveryOrder([said(1, 'x', [1, 0]), embedded(2, 'x', [0, 1]), purged(3, ['x'])], db => {
      expect(near(db, [1, 0])).toMatchObject({ hits: [], skipped: {} })
      expect(count(db, 'vectors')).toBe(0)
    })
  })

  it('everywhere, also takes those of blocks that are not known yet', () => {
    inEveryOrder([embedded(2, 'x', [0, 1], { ns: NS_B }), purged(3, ['x'], { everywhere: true })], db => {
      expect(count(db, 'vectors')).toBe(0)
    })
  })

  it('does not bring back a captured vector, and lets the one that was asked for be found again', () => {
    const events = [said(4, 'x', [1, 0]), said(5, 'x', [0, 1], 'f', { origin: 'import' }), purged(3, ['x'])]
    inEveryOrder(events, db => {
      expect(near(db, [1, 0]).hits).toMatchObject([{ cosine: 1 }])
    })
  })

  it('before a later commit leaves that one its vector', () => {
    inEveryOrder([said(1, 'x', [1, 0]), purged(2, ['x']), said(3, 'x', [0, 1]), embedded(4, 'y', [0, 1])], db => {
      expect(near(db, [0, 1]).hits).toMatchObject([{ cosine: 1 }])
    })
  })
})

describe('a merge', () => {
  it('hides the vector of the dropped block, until the kept one is gone', () => {
    const events = [said(1, 'kept', [1, 0]), said(2, 'dropped', [0, 1]), merge(3, 'kept', 'dropped')]
    inEveryOrder(events, db => {
      expect(nearTexts(db, [0, 1])).toEqual(['kept'])
      expect(near(db, [0, 1]).skipped).toEqual({})
    })
    inEveryOrder([...events, purged(4, ['kept'])], db => {
      expect(nearTexts(db, [0, 1])).toEqual(['dropped'])
    })
  })
})

describe('any events', () => {
  const asked: ReadonlyArray<readonly [values: readonly number[], space: string, ns: string]> = [
    'f1',
    'f2',
    'f3',
  ].flatMap(space =>
    [NS_A.id, NS_B.id].flatMap(ns =>
      [
        [1, 0, 0],
        [1, 0, 1, 0],
      ].map(values => [values, space, ns] as const),
    ),
  )
  const verbs = ['commit', 'embed', 'purge', 'merge', 'space'] as const
  /** Hits without row numbers, and all counters. */
  const found = (db: Database) =>
    asked.map(([values, space, ns]) => {
      const { hits, ...rest } = near(db, values, 10, space, ns)
      return { ...rest, hits: hits.map(({ id, cosine }) => ({ id, cosine })) }
    })

  it('in any order and any number of times give the same hits and counters', () => {
    fc.assert(
      fc.property(arbReordered(arbEvents(16, verbs)), ({ items, reordered }) => {
        const [left, right] = [fold(...items), fold(...reordered)]
        expect(found(right.db)).toEqual(found(left.db))
        left.db.close()
        right.db.close()
      }),
      runs(80),
    )
  })

  it('keep the counts that the search goes by in line with the rows', () => {
    fc.assert(
      fc.property(arbEvents(20, verbs), events => {
        const { db } = fold(...events)
        const shown = db
          .prepare(
            `SELECT count(*) FROM vectors v LEFT JOIN memory_blocks b ON v.kind = 'block' AND b.ns = v.ns AND b.id = v.target
             WHERE v.shelf IS NOT NULL AND (v.kind = 'document' OR (b.inactive = 0 AND b.row = v.row))`,
          )
          .pluck()
        const listed = db.prepare('SELECT count(*) FROM vectors WHERE shelf IS NOT NULL').pluck().get()
        expect(shown.get()).toBe(listed)
        expect(db.prepare('SELECT coalesce(sum(live), 0) FROM vector_shelves').pluck().get()).toBe(listed)
        const counted = db.prepare('SELECT coalesce(sum(count), 0) FROM vector_targets').pluck().get()
        const targets = 'SELECT count(*) FROM (SELECT DISTINCT ns, kind, target FROM vectors WHERE shelf IS NOT NULL)'
        expect(counted).toBe(db.prepare(targets).pluck().get())
        const codes = `SELECT count(*) FROM vector_codes c JOIN vectors v ON v.vector = c.vector AND v.serial = c.serial
          AND v.shelf = c.shelf AND v.row = c.row WHERE code IS NOT NULL`
        const usable = "SELECT count(*) FROM vectors WHERE shelf IS NOT NULL AND fault = ''"
        expect(db.prepare(codes).pluck().get()).toBe(db.prepare(usable).pluck().get())
        db.close()
      }),
      runs(60),
    )
  })
})
