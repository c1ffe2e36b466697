import type { Database } from 'better-sqlite3'
import { unindexBlock } from '../recall/index.ts'
import { statement } from '../recall/statements.ts'

/** Takes away the text of a document, and its entries in the recall index. */
export function dropParts(db: Database, ns: number, doc: string): void {
  const rows = statement(db, 'SELECT row FROM cold_events WHERE ns = ? AND doc = ?').pluck().all(ns, doc) as number[]
  for (const row of rows) {
    unindexBlock(db, row)
    statement(db, 'DELETE FROM memory_blocks WHERE row = ?').run(row)
  }
  statement(db, 'DELETE FROM cold_events WHERE ns = ? AND doc = ?').run(ns, doc)
}
