import type { Database } from 'better-sqlite3'
import { compareOrder, type Order, type Origin, type PurgeEvent } from '../../events/index.ts'

/** The namespace number of what acts in every namespace. No namespace has it. */
export const EVERYWHERE = 0

/** Origins that nobody asked for: what they capture again stays forgotten. */
const CAPTURED: ReadonlySet<Origin> = new Set<Origin>(['archive', 'distill', 'import'])

/** Whether nobody asked for a commit: it was captured. */
export function isCaptured(origin: Origin): boolean {
  return CAPTURED.has(origin)
}

/** Whether a tombstone covers a commit: those before it, and later ones that nobody asked for. */
export function covers(tombstone: Order | undefined, commit: Order & { readonly origin: Origin }): boolean {
  return tombstone !== undefined && (compareOrder(commit, tombstone) < 0 || CAPTURED.has(commit.origin))
}

/** Which blocks were purged, and when. */
export function tombstoneTable(db: Database) {
  const add = db.prepare(
    'INSERT OR IGNORE INTO tombstones (ns, block, clock, event, turn, time, reason) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  // Sorted here: for the usual answer, none, SQLite's sorter costs more than the search.
  const all = db.prepare<[number, string], Order>(
    `SELECT clock, event AS id FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) AND block = ?`,
  )
  const any = db.prepare<[], number>('SELECT 1 FROM tombstones LIMIT 1').pluck()
  return {
    add(event: PurgeEvent, ns: number): void {
      const { id, clock, at, reason } = event
      for (const block of new Set(event.ids)) add.run(ns, block, clock, id, at.turn ?? null, at.time, reason)
    },
    /** The last tombstone that stands over a block in a namespace. */
    over(ns: number, block: string): Order | undefined {
      // Most memories have none at all, which is asked more quickly.
      if (any.get() === undefined) return undefined
      return all.all(ns, block).sort(compareOrder).at(-1)
    },
  }
}

export type Tombstones = ReturnType<typeof tombstoneTable>
