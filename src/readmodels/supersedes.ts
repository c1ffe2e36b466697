import type { Database } from 'better-sqlite3'
import type { SupersedesEdge } from './recall/index.ts'

/** The living `supersedes` edges that replace one of these rows. */
export function supersedes(db: Database, ns: number, rows: readonly number[]): SupersedesEdge[] {
  return db
    .prepare<[string, number], SupersedesEdge>(
      `SELECT loser.row AS loser, winner.row AS winner
       FROM memory_blocks loser
       JOIN memory_block_edges e ON e.ns = loser.ns AND e.target_kind = 'block' AND e.target_id = loser.id
       JOIN memory_blocks winner ON winner.ns = e.ns AND winner.id = e.source_id
       WHERE loser.row IN (SELECT value FROM json_each(?)) AND loser.ns = ? AND e.type = 'supersedes'
         AND e.source_kind = 'block' AND e.status = 'active' AND winner.inactive = 0`,
    )
    .all(JSON.stringify(rows), ns)
}
