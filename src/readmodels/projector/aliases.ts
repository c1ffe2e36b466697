import type { Database } from 'better-sqlite3'
import { compareOrder, type MergeEvent, type Order } from '../../events/index.ts'
import { EVERYWHERE } from './tombstones.ts'

interface Pointer extends Order {
  readonly keep: string
}

interface Row {
  readonly keep: string
  readonly clock: number
  readonly event: string
}

/**
 * Which block ids stand for which. Of several merges that drop an id the latest counts; pointers are followed to their
 * end, and where they run in a circle the earliest merge in it decides.
 */
export function aliasTable(db: Database) {
  const add = db.prepare(
    'INSERT OR IGNORE INTO merges (ns, dropped, clock, event, keep, turn, time) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const latest = db.prepare<[number, string], Row>(
    `SELECT keep, clock, event FROM merges WHERE ns IN (${EVERYWHERE}, ?) AND dropped = ? ORDER BY clock DESC, event DESC LIMIT 1`,
  )
  const neighbours = db
    .prepare<[number, string, number, string], string>(
      `SELECT keep FROM merges WHERE ns IN (0, ?) AND dropped = ? UNION ALL SELECT dropped FROM merges WHERE ns IN (0, ?) AND keep = ?`,
    )
    .pluck()

  const pointer = (ns: number, id: string): Pointer | undefined => {
    const row = latest.get(ns, id)
    return row && { keep: row.keep, clock: row.clock, id: row.event }
  }

  return {
    add({ id, clock, at, keep, drop }: MergeEvent, ns: number): void {
      if (keep !== drop) add.run(ns, drop, clock, id, keep, at.turn ?? null, at.time)
    },

    /** The id that stands for `id` now; itself when it was never dropped. */
    resolve(ns: number, id: string): string {
      const path: Array<{ readonly from: string; readonly to: Pointer }> = []
      let current = id
      for (;;) {
        const next = pointer(ns, current)
        if (next === undefined) return current
        const start = path.findIndex(({ from }) => from === current)
        if (start >= 0) {
          const [earliest] = path
            .slice(start)
            .map(({ to }) => to)
            .sort(compareOrder)
          return earliest?.keep ?? current
        }
        path.push({ from: current, to: next })
        current = next.keep
      }
    },

    /** Every id that merges connect with `id`, itself included. */
    connected(ns: number, id: string): string[] {
      const found = new Set([id])
      for (const one of found) for (const other of neighbours.all(ns, one, ns, one)) found.add(other)
      return [...found]
    },

    /** Every id that stands for the same block as `id`, `id`'s own representative first. */
    family(ns: number, id: string): string[] {
      const representative = this.resolve(ns, id)
      const others = this.connected(ns, id).filter(one => this.resolve(ns, one) === representative)
      return [representative, ...others.filter(one => one !== representative).sort()]
    },
  }
}

export type Aliases = ReturnType<typeof aliasTable>
