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

    /** The id that stands for `id` now; itself when it was never dropped. `known` keeps what was found for the next. */
    resolve(ns: number, id: string, known = new Map<string, string>()): string {
      const path = new Map<string, Pointer>()
      let current = id
      let end: string | undefined
      while (end === undefined) {
        const next = pointer(ns, current)
        if (next === undefined) end = current
        else if (path.has(current)) end = circle(path, current)
        else {
          path.set(current, next)
          current = next.keep
          end = known.get(current)
        }
      }
      for (const one of path.keys()) known.set(one, end)
      return end
    },

    /** Every id that merges connect with `id`, itself included. */
    connected(ns: number, id: string): string[] {
      const found = new Set([id])
      for (const one of found) for (const other of neighbours.all(ns, one, ns, one)) found.add(other)
      return [...found]
    },

    /** Every id that stands for the same block as `id`, `id`'s own representative first. */
    family(ns: number, id: string): string[] {
      const known = new Map<string, string>()
      const representative = this.resolve(ns, id, known)
      const others = this.connected(ns, id).filter(one => this.resolve(ns, one, known) === representative)
      return [representative, ...others.filter(one => one !== representative).sort()]
    },
  }
}

/** Which id stands for those of a circle that begins at one of them: what its earliest merge kept. */
function circle(path: ReadonlyMap<string, Pointer>, start: string): string {
  const pointers = [...path.entries()]
  const [earliest] = pointers
    .slice(pointers.findIndex(([from]) => from === start))
    .map(([, to]) => to)
    .sort(compareOrder)
  return earliest?.keep ?? start
}

export type Aliases = ReturnType<typeof aliasTable>
