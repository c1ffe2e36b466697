import type { Database } from 'better-sqlite3'
import type { DistillEvent, PurgeEvent, RecallEvent } from '../../events/index.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'
import { statement } from '../recall/statements.ts'

/** Folds what became of a document; the edges of its blocks are folded beside it. */
export function foldDistill(db: Database, { id, clock, at, doc, by, blocks }: DistillEvent, ns: number): void {
  statement(
    db,
    'INSERT OR IGNORE INTO cold_distilled (ns, doc, clock, event, by_whom, blocks, time) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(ns, doc, clock, id, by, JSON.stringify(blocks), at.time)
}

/** Folds the pages that a purge names. Why they were recalled before quotes words of them, and is forgotten as well. */
export function foldWithheld(db: Database, { id, clock, pages, everywhere }: PurgeEvent, ns: number): void {
  const hush = statement(
    db,
    `UPDATE recall_pages SET why = '' WHERE doc = @doc AND page = @page AND (@ns = ${EVERYWHERE} OR ns = @ns)
       AND (clock < @clock OR (clock = @clock AND event < @id))`,
  )
  for (const { doc, page } of pages ?? []) {
    hush.run({ ns: everywhere ? EVERYWHERE : ns, doc, page, clock, id })
    statement(db, 'INSERT OR IGNORE INTO cold_withheld (ns, doc, page, clock, event) VALUES (?, ?, ?, ?, ?)').run(
      everywhere ? EVERYWHERE : ns,
      doc,
      page,
      clock,
      id,
    )
  }
}

/** Folds the pages that came back in a recall. */
export function foldRecalledPages(db: Database, { id, clock, at, mode, pages }: RecallEvent, ns: number): void {
  const later = statement(
    db,
    `SELECT 1 FROM cold_withheld WHERE ns IN (${EVERYWHERE}, @ns) AND doc = @doc AND page = @page
       AND (clock > @clock OR (clock = @clock AND event > @id))`,
  )
  const forgotten = (doc: string, page: number): boolean => later.get({ ns, doc, page, clock, id }) !== undefined
  for (const { doc, page, score, exact, why } of pages ?? []) {
    statement(
      db,
      `INSERT OR IGNORE INTO recall_pages (ns, doc, clock, event, page, mode, time, score, exact, why)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(ns, doc, clock, id, page, mode, at.time, score, exact ? 1 : 0, forgotten(doc, page) ? '' : why)
  }
}
