import type { Database } from 'better-sqlite3'
import { replacementsOf } from '../recall/index.ts'
import { supersedes } from '../supersedes.ts'
import type { Replacement } from './port.ts'

/** What replaced a block of one namespace, and what it replaced. `id` is the one it is shown under. */
export function replacements(db: Database, ns: number, id: string): Replacement[] {
  const row = db.prepare<[number, string], number>('SELECT row FROM memory_blocks WHERE ns = ? AND id = ?').pluck()
  const own = row.get(ns, id)
  if (own === undefined) return []
  const linked = db
    .prepare<[number, string], number>(
      `SELECT loser.row FROM memory_block_edges e JOIN memory_blocks loser ON loser.ns = e.ns AND loser.id = e.target_id
       WHERE e.ns = ? AND e.source_kind = 'block' AND e.source_id = ? AND e.target_kind = 'block'
         AND e.type = 'supersedes' AND e.status = 'active'`,
    )
    .pluck()
    .all(ns, id)
  return replacementsOf(db, own, linked, (place, rows) => supersedes(db, place, rows))
    .map(({ loser, winner, reason }) => ({
      id: loser.id,
      text: loser.text,
      by: winner.id,
      byText: winner.text,
      reason,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
