import type { Database } from 'better-sqlite3'
import { PAGES } from '../cold/schema.ts'

/** How much there is, and in which namespaces. */
export interface Census {
  readonly blocks: number
  readonly events: number
  readonly namespaces: ReadonlyArray<{ readonly id: string; readonly label: string; readonly blocks: number }>
}

export function census(db: Database): Census {
  const count = (table: string) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  const namespaces = db
    .prepare<[], { id: string; label: string; blocks: number }>(
      `SELECT n.id, n.label, count(b.row) AS blocks FROM namespaces n LEFT JOIN memory_blocks b USING (ns)
       GROUP BY ns ORDER BY n.label, n.id`,
    )
    .all()
  return { blocks: count(`memory_blocks WHERE ns < ${PAGES}`), events: count('events_seen'), namespaces }
}
