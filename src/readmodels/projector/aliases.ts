import type { Database } from 'better-sqlite3'
import { compareOrder, type MergeEvent, type Order } from '../../events/index.ts'
import { EVERYWHERE } from './tombstones.ts'

interface Pointer extends Order {
  readonly keep: string
}

interface Row {
  readonly dropped: string
  readonly keep: string
  readonly clock: number
  readonly event: string
}

/** The ids that merges connect with one another, and which of them stands for which. */
export interface Kin {
  /** All of them. */
  readonly ids: readonly string[]
  /** The id that stands for one of them; itself when it was never dropped. */
  representative(id: string): string
}

/**
 * Which block ids stand for which. Of several merges that drop an id the latest counts; pointers are followed to their
 * end, and where they run in a circle the earliest merge in it decides.
 */
export function aliasTable(db: Database) {
  const add = db.prepare(
    'INSERT OR IGNORE INTO merges (ns, dropped, clock, event, keep, reason, turn, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  // Most memories have no merge at all, which is asked more quickly.
  const any = db.prepare<[], number>('SELECT 1 FROM merges LIMIT 1').pluck()
  const merges = db.prepare<[{ ns: number; id: string }], Row>(
    `WITH RECURSIVE here (ns) AS (VALUES (${EVERYWHERE}), (@ns)), kin (id) AS (
       VALUES (@id)
       UNION SELECT m.keep FROM kin CROSS JOIN here CROSS JOIN merges m ON m.ns = here.ns AND m.dropped = kin.id
       UNION SELECT m.dropped FROM kin CROSS JOIN here CROSS JOIN merges m ON m.keep = kin.id AND m.ns = here.ns
     )
     SELECT m.dropped, m.keep, m.clock, m.event
     FROM kin CROSS JOIN here CROSS JOIN merges m ON m.ns = here.ns AND m.dropped = kin.id`,
  )

  const kin = (ns: number, id: string): Kin => {
    const rows = any.get() === undefined ? [] : merges.all({ ns, id })
    if (rows.length === 0) return { ids: [id], representative: one => one }
    const pointers = new Map<string, Pointer>()
    for (const { dropped, keep, clock, event } of rows) {
      const known = pointers.get(dropped)
      const pointer = { keep, clock, id: event }
      if (known === undefined || compareOrder(known, pointer) < 0) pointers.set(dropped, pointer)
    }
    const ends = new Map<string, string>()
    return {
      ids: [...new Set([id, ...rows.flatMap(({ dropped, keep }) => [dropped, keep])])],
      representative: one => follow(pointers, one, ends),
    }
  }

  return {
    add({ id, clock, at, keep, drop, reason = '' }: MergeEvent, ns: number): void {
      if (keep !== drop) add.run(ns, drop, clock, id, keep, reason, at.turn ?? null, at.time)
    },

    kin,

    /** The id that stands for `id` now; itself when it was never dropped. */
    resolve: (ns: number, id: string): string => kin(ns, id).representative(id),

    /** Every id that stands for the same block as `id`, `id`'s own representative first. */
    family: (ns: number, id: string): string[] => familyOf(kin(ns, id), id),
  }
}

/** Those of some connected ids that the same one stands for as for `id`: that one first. */
export function familyOf({ ids, representative }: Kin, id: string): string[] {
  const first = representative(id)
  return [first, ...ids.filter(one => one !== first && representative(one) === first).sort()]
}

/** Follows pointers from an id to their end. `ends` keeps what was found for the next. */
function follow(pointers: ReadonlyMap<string, Pointer>, id: string, ends: Map<string, string>): string {
  const path = new Map<string, Pointer>()
  let current = id
  let end = ends.get(id)
  while (end === undefined) {
    const next = pointers.get(current)
    if (next === undefined) end = current
    else if (path.has(current)) end = circle(path, current)
    else {
      path.set(current, next)
      current = next.keep
      end = ends.get(current)
    }
  }
  for (const one of path.keys()) ends.set(one, end)
  return end
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
