import type { Database } from 'better-sqlite3'
import type { Stats } from '../port.ts'
import { statement } from '../recall/statements.ts'

export const NO_DOCUMENTS: Stats['documents'] = { all: 0, waiting: 0, withdrawn: 0, distilled: 0 }

/** How many documents there are, and in what state. */
export function documentStats(db: Database): Stats['documents'] {
  return statement(
    db,
    `SELECT count(*) AS "all", coalesce(sum(state = 'waiting'), 0) AS waiting,
       coalesce(sum(state = 'withdrawn'), 0) AS withdrawn,
       (SELECT count(*) FROM (SELECT DISTINCT ns, doc FROM cold_distilled)) AS distilled
     FROM cold_docs`,
  ).get() as Stats['documents']
}
