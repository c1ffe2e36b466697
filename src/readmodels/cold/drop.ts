import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'

const EMPTY = "text_content = '', tool = '', call_id = ''"

/** Takes away the text of a document. Its rows stay, empty, until the recall index has let go of them. */
export function dropParts(db: Database, ns: number, doc: string): void {
  const of = { ns, doc }
  const rows = 'SELECT row FROM cold_events WHERE ns = @ns AND doc = @doc'
  statement(db, `INSERT INTO cold_gone (row) ${rows}`).run(of)
  statement(db, `UPDATE memory_blocks SET id = 'gone#' || row, ${EMPTY} WHERE row IN (${rows})`).run(of)
  statement(db, 'DELETE FROM cold_events WHERE ns = @ns AND doc = @doc').run(of)
}

/** The same for every document. */
export function dropAll(db: Database): void {
  db.exec(`INSERT INTO cold_gone (row) SELECT row FROM cold_events;
    UPDATE memory_blocks SET id = 'gone#' || row, ${EMPTY} WHERE row IN (SELECT row FROM cold_events);
    DELETE FROM cold_events`)
}
