import type { Database } from 'better-sqlite3'
import { canonicalText, leading } from '../../events/index.ts'
import { indexBlock, unindexBlock } from '../recall/index.ts'
import { statement } from '../recall/statements.ts'
import { pagesOf } from './schema.ts'

/** What is done in one go: some ten milliseconds. Rows, and characters of them. */
const ROWS = 64
const CHARS = 12_000
/** Characters of one part that are looked for by words: of what was said, and of what tools took and gave. */
const INDEXED = { said: 32_000, tools: 8_000, manyTools: 500 } as const
/** Parts of a document after which less of what tools took and gave is looked for. */
const MANY_PARTS = 1_000
/** More parts than any turn has; places of different turns do not meet. */
const TURN_WIDTH = 1_000_000

interface PartRow {
  readonly row: number
  readonly ns: number
  readonly part: number
  readonly kind: string
  readonly text: string
  readonly session: string
  readonly turn: number | null
  readonly clock: number
  readonly event: string
  readonly saidAt: number
}

/**
 * Brings the recall index a step nearer to the parts of documents: those that were taken away leave it, then those that
 * were written enter it. What is to be done stands in the tables, so it may be done at any time, by any process. Returns
 * whether anything was done. Call it inside a transaction.
 */
export function indexSome(db: Database): boolean {
  return takeGone(db) || putWritten(db)
}

/** Whether there is nothing to do. */
export function isIndexed(db: Database): boolean {
  return (
    statement(db, 'SELECT 1 FROM cold_gone LIMIT 1').get() === undefined &&
    statement(db, 'SELECT 1 FROM cold_events WHERE indexed = 0 LIMIT 1').get() === undefined
  )
}

function takeGone(db: Database): boolean {
  const rows = statement(db, `SELECT row FROM cold_gone ORDER BY row LIMIT ${ROWS}`).pluck().all() as number[]
  for (const row of rows) {
    unindexBlock(db, row)
    statement(db, 'DELETE FROM memory_blocks WHERE row = ?').run(row)
    statement(db, 'DELETE FROM cold_gone WHERE row = ?').run(row)
  }
  return rows.length > 0
}

function putWritten(db: Database): boolean {
  const rows = statement(
    db,
    `SELECT e.row, e.ns, e.part, e.kind, b.text_content AS text, d.session, d.turn, b.first_clock AS clock,
       b.first_event AS event, b.frame_ts AS saidAt
     FROM cold_events e JOIN memory_blocks b USING (row) JOIN cold_docs d ON d.ns = e.ns AND d.doc = e.doc
     WHERE e.indexed = 0 ORDER BY e.row LIMIT ${ROWS}`,
  ).iterate() as IterableIterator<PartRow>
  const batch: Array<PartRow & { readonly words: string }> = []
  let chars = 0
  for (const part of rows) {
    const words = canonicalText(leading(part.text, limitOf(part)))
    batch.push({ ...part, words })
    chars += words.length
    if (chars > CHARS) break
  }
  for (const part of batch) {
    if (part.words !== '') putPart(db, part)
    statement(db, 'UPDATE cold_events SET indexed = 1 WHERE row = ?').run(part.row)
  }
  return batch.length > 0
}

function putPart(
  db: Database,
  { row, ns, part, kind, words, session, turn, clock, event, saidAt }: PartRow & { readonly words: string },
): void {
  const place = { session, position: (turn ?? 0) * TURN_WIDTH + part, speaker: kind, saidAt }
  indexBlock(db, {
    row,
    ns: pagesOf(ns),
    canonicalText: words,
    clock,
    event,
    saidAt,
    ...(isSpoken(kind) ? { conversation: place } : {}),
  })
}

function limitOf({ kind, part }: PartRow): number {
  if (isSpoken(kind)) return INDEXED.said
  return part < MANY_PARTS ? INDEXED.tools : INDEXED.manyTools
}

function isSpoken(kind: string): boolean {
  return kind === 'user' || kind === 'assistant'
}
