/**
 * Parts of pages are rows of `memory_blocks`, in a namespace number of their own that lies this far above that of
 * their documents: the recall index ranks them among themselves, and whatever asks for blocks does not meet them.
 */
export const PAGES = 1_000_000_000

/** The number under which parts of a namespace's pages are kept. */
export function pagesOf(ns: number): number {
  return ns + PAGES
}

/**
 * - `cold_docs`: one row a document, as its latest archive event says. `state`: `held`, its text is at hand; `waiting`,
 *   its log was not read yet; `withdrawn`, its log is gone. `found` counts what of it the log of session `log` held
 *   when its text was built.
 * - `cold_events`: the parts of its pages in order, each with the row of `memory_blocks` that has the text; `indexed` once
 *   the recall index has it. `cold_gone`: rows of parts taken away that the index has still to let go of.
 * - `cold_logs`: sessions whose logs hold what a document cites; `supplied` is when a live one handed it over, 0 when it
 *   was read from disk.
 * - `cold_withheld`: pages that a purge names. `cold_purged`: by what the text of a purged block is known where it is met
 *   again, once both its purge and a commit of it were folded. `cold_distilled`: what became of a document.
 * - `recall_pages`: pages that came back, by whom they were asked for.
 */
export const COLD_SCHEMA = `
CREATE TABLE IF NOT EXISTS cold_docs (
  ns INTEGER NOT NULL, doc TEXT NOT NULL,
  title TEXT NOT NULL, tags TEXT NOT NULL, named INTEGER NOT NULL, origin TEXT NOT NULL,
  session TEXT NOT NULL, turn INTEGER, ended TEXT NOT NULL,
  messages TEXT NOT NULL, calls TEXT NOT NULL, uncited INTEGER NOT NULL,
  clock INTEGER NOT NULL, event TEXT NOT NULL, time INTEGER NOT NULL,
  state TEXT NOT NULL, found INTEGER NOT NULL, log TEXT NOT NULL,
  PRIMARY KEY (ns, doc)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cold_docs_session ON cold_docs (session);
CREATE INDEX IF NOT EXISTS cold_docs_order ON cold_docs (clock, event);
CREATE TABLE IF NOT EXISTS cold_events (
  ns INTEGER NOT NULL, doc TEXT NOT NULL, part INTEGER NOT NULL,
  page INTEGER NOT NULL, kind TEXT NOT NULL, tool TEXT NOT NULL, call_id TEXT NOT NULL, failed INTEGER NOT NULL,
  message TEXT NOT NULL, time INTEGER NOT NULL, row INTEGER NOT NULL, indexed INTEGER NOT NULL,
  PRIMARY KEY (ns, doc, part)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS cold_events_row ON cold_events (row);
CREATE INDEX IF NOT EXISTS cold_events_unindexed ON cold_events (row) WHERE indexed = 0;
CREATE TABLE IF NOT EXISTS cold_gone (row INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS cold_logs (
  ns INTEGER NOT NULL, doc TEXT NOT NULL, session TEXT NOT NULL, supplied INTEGER NOT NULL,
  PRIMARY KEY (ns, doc, session)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cold_logs_session ON cold_logs (session);
CREATE TABLE IF NOT EXISTS cold_withheld (
  ns INTEGER NOT NULL, doc TEXT NOT NULL, page INTEGER NOT NULL, clock INTEGER NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (ns, doc, page, clock, event)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cold_purged (
  block TEXT NOT NULL, ns INTEGER NOT NULL,
  length INTEGER NOT NULL, head INTEGER NOT NULL, print INTEGER NOT NULL, hash TEXT NOT NULL, alone INTEGER NOT NULL,
  PRIMARY KEY (block, ns)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cold_distilled (
  ns INTEGER NOT NULL, doc TEXT NOT NULL, clock INTEGER NOT NULL, event TEXT NOT NULL,
  by_whom TEXT NOT NULL, blocks TEXT NOT NULL, time INTEGER NOT NULL,
  PRIMARY KEY (ns, doc, clock, event)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recall_pages (
  ns INTEGER NOT NULL, doc TEXT NOT NULL, clock INTEGER NOT NULL, event TEXT NOT NULL, page INTEGER NOT NULL,
  mode TEXT NOT NULL, time INTEGER NOT NULL, score REAL NOT NULL, exact INTEGER NOT NULL, why TEXT NOT NULL,
  PRIMARY KEY (ns, doc, clock, event, page)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS recall_pages_event ON recall_pages (event);
CREATE INDEX IF NOT EXISTS recall_pages_doc ON recall_pages (doc);
`

export const COLD_TABLES = [
  'cold_docs',
  'cold_events',
  'cold_gone',
  'cold_logs',
  'cold_withheld',
  'cold_purged',
  'cold_distilled',
  'recall_pages',
] as const
