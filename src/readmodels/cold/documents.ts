import type { Database } from 'better-sqlite3'
import { type ArchiveEvent, compareOrder, type Order } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import { dropParts } from './drop.ts'

/** A document as it stands. */
export interface StoredDocument extends Order {
  readonly ns: number
  readonly doc: string
  readonly title: string
  readonly tags: string
  readonly named: number
  readonly session: string
  readonly turn: number | null
  readonly ended: string
  /** JSON arrays of ids. */
  readonly messages: string
  readonly calls: string
  readonly time: number
  readonly state: 'held' | 'waiting' | 'withdrawn'
  readonly found: number
  /** Session whose log gave the text; empty where there is none. */
  readonly log: string
}

const COLUMNS =
  'ns, doc, title, tags, named, session, turn, ended, messages, calls, clock, event AS id, time, state, found, log'

export function findDocument(db: Database, ns: number, doc: string): StoredDocument | undefined {
  return statement(db, `SELECT ${COLUMNS} FROM cold_docs WHERE ns = ? AND doc = ?`).get(ns, doc) as
    | StoredDocument
    | undefined
}

/** Documents whose text could come from the log of a session: those archived there and those that were read from it. */
export function documentsOf(db: Database, session: string): StoredDocument[] {
  return statement(
    db,
    `SELECT ${COLUMNS} FROM cold_docs WHERE session = @session
     UNION SELECT ${COLUMNS} FROM cold_docs WHERE (ns, doc) IN (SELECT ns, doc FROM cold_logs WHERE session = @session)`,
  ).all({ session }) as StoredDocument[]
}

/**
 * Folds an archive event: of several of one document the latest in event order counts as a whole. Its text, which is
 * not in the event, waits to be read from a log, unless what was read already is what it cites.
 */
export function foldArchive(db: Database, event: ArchiveEvent, ns: number): void {
  const { id, clock, at, doc } = event
  const before = findDocument(db, ns, doc)
  if (before !== undefined && compareOrder(before, { clock, id }) >= 0) return
  const messages = JSON.stringify(event.messages)
  const calls = JSON.stringify(event.calls)
  if (before !== undefined) dropParts(db, ns, doc)
  statement(
    db,
    `INSERT OR REPLACE INTO cold_docs (ns, doc, title, tags, named, origin, session, turn, ended, messages, calls, uncited,
       clock, event, time, state, found, log)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0, '')`,
  ).run(
    ns,
    doc,
    event.title,
    JSON.stringify(event.tags),
    event.named ? 1 : 0,
    event.origin,
    at.session ?? '',
    at.turn ?? null,
    event.ended,
    messages,
    calls,
    event.uncited ?? 0,
    clock,
    id,
    at.time,
  )
}

/** Numbers of the namespaces that have a document. */
export function namespacesOfDocument(db: Database, doc: string): number[] {
  return statement(db, 'SELECT ns FROM cold_docs WHERE doc = ? ORDER BY ns').pluck().all(doc) as number[]
}
