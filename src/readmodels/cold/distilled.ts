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

/** Folds the pages that a purge names. */
export function foldWithheld(db: Database, { id, clock, pages, everywhere }: PurgeEvent, ns: number): void {
  for (const { doc, page } of pages ?? []) {
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
  for (const { doc, page, score, exact, why } of pages ?? []) {
    statement(
      db,
      `INSERT OR IGNORE INTO recall_pages (ns, doc, clock, event, page, mode, time, score, exact, why)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(ns, doc, clock, id, page, mode, at.time, score, exact ? 1 : 0, why)
  }
}
