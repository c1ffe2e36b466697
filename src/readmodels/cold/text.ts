import type { Database } from 'better-sqlite3'
import type { Said } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import { findDocument, type StoredDocument } from './documents.ts'
import { dropAll, dropParts } from './drop.ts'
import { keptText, type Redact } from './keep.ts'
import { type Cited, citedIn, type Part, partsOf } from './parts.ts'
import { pagesOf } from './schema.ts'

/** Where the text of a document comes from. */
export interface Source {
  /** Session whose log holds it. */
  readonly session: string
  /** When a live session handed it over, Unix milliseconds; 0 when it was read from disk. */
  readonly supplied: number
  readonly said: readonly Said[]
}

/** How long a host may take to store what a live session handed over, in milliseconds. */
const UNSTORED_MS = 600_000

export function citedBy({ messages, calls }: Pick<StoredDocument, 'messages' | 'calls'>): Cited {
  return { messages: new Set(JSON.parse(messages) as string[]), calls: new Set(JSON.parse(calls) as string[]) }
}

/** What a log says to a document: nothing new, its text, or that it lost some of what it had given. */
type Telling = 'nothing' | 'text' | 'loss'

/** Whether a log would give a document text that it does not have: then `hold` writes. */
export function isWanting(db: Database, ns: number, doc: string, from: Source): boolean {
  const document = findDocument(db, ns, doc)
  if (document === undefined) return false
  const finds = citedIn(from.said, citedBy(document)).length
  return finds > 0 && !isBehind(db, document, finds, from) && tellingOf(document, finds, from.session) === 'text'
}

/**
 * Gives a document its text, as a session's log holds it. Of several logs the one that holds most of it counts, then the
 * one it was archived in, then the first by name: whichever is read first. A log that lost what it gave has all of them
 * read anew. The words of the text are found once `indexSome` came to them. Returns whether the document can be read now.
 *
 * @param keep makes of what was said what is kept of it
 */
export function hold(
  db: Database,
  ns: number,
  doc: string,
  from: Source,
  keep: (record: Said) => Said,
  redact: Redact,
): boolean {
  const document = findDocument(db, ns, doc)
  if (document === undefined) return false
  const cited = citedBy(document)
  const records = citedIn(from.said, cited)
  const finds = records.length
  if (isBehind(db, document, finds, from)) return document.state === 'held'
  if (finds === 0) return release(db, ns, doc, from.session)
  statement(
    db,
    `INSERT INTO cold_logs (ns, doc, session, supplied) VALUES (@ns, @doc, @session, @supplied)
     ON CONFLICT (ns, doc, session) DO UPDATE SET supplied = excluded.supplied`,
  ).run({ ns, doc, session: from.session, supplied: from.supplied })
  const telling = tellingOf(document, finds, from.session)
  if (telling === 'nothing') return true
  if (telling === 'loss' && hasOther(db, ns, doc, from.session)) return letWait(db, ns, doc)
  dropParts(db, ns, doc)
  const parts = partsOf(records.map(keep), cited)
  for (const [number, part] of parts.entries()) writePart(db, document, number, part)
  if (document.named === 1) writePart(db, document, parts.length, titleOf(document, redact))
  statement(db, "UPDATE cold_docs SET state = 'held', found = ?, log = ? WHERE ns = ? AND doc = ?").run(
    finds,
    from.session,
    ns,
    doc,
  )
  return true
}

/**
 * Whether a log holds less than is known though nothing was lost: the host has not stored all of it yet, or a live
 * session hands over what it had before the turn went on.
 */
function isBehind(db: Database, { ns, doc, found }: StoredDocument, finds: number, from: Source): boolean {
  return finds < found && (from.supplied > 0 || isAhead(db, ns, doc, from))
}

function tellingOf({ state, found, log, session: own }: StoredDocument, finds: number, session: string): Telling {
  if (state !== 'held' || finds > found) return 'text'
  if (session === log) return finds < found ? 'loss' : 'nothing'
  const goesBefore = session === own || (log !== own && session < log)
  return finds === found && goesBefore ? 'text' : 'nothing'
}

/**
 * A session's log does not hold a document any more, or never did. Where it had given the text, this is withdrawn, until
 * another log that holds some of it was read anew. Returns whether the document can be read now.
 */
export function release(db: Database, ns: number, doc: string, session: string): boolean {
  statement(db, 'DELETE FROM cold_logs WHERE ns = ? AND doc = ? AND session = ?').run(ns, doc, session)
  const document = findDocument(db, ns, doc)
  if (document === undefined) return false
  if (hasOther(db, ns, doc, session)) {
    return document.state === 'held' && (document.log !== session || letWait(db, ns, doc))
  }
  dropParts(db, ns, doc)
  statement(db, "UPDATE cold_docs SET state = 'withdrawn', found = 0, log = '' WHERE ns = ? AND doc = ?").run(ns, doc)
  return false
}

/** Takes away the text of a document until its logs were read anew. */
function letWait(db: Database, ns: number, doc: string): false {
  dropParts(db, ns, doc)
  statement(db, "UPDATE cold_docs SET state = 'waiting', found = 0, log = '' WHERE ns = ? AND doc = ?").run(ns, doc)
  return false
}

/** Has the logs read anew that hold some of a document which waits for its text. Returns whether there are any. */
export function readWaitingAnew(db: Database): boolean {
  const { changes } = statement(
    db,
    `DELETE FROM sessions WHERE session IN (
       SELECT l.session FROM cold_logs l JOIN cold_docs d USING (ns, doc) WHERE d.state = 'waiting')`,
  ).run()
  return changes > 0
}

/** A title that somebody chose is looked for like a part of the first page; it is not read as one. */
function titleOf({ title, tags, time }: StoredDocument, redact: Redact): Part {
  const text = keptText([title, ...(JSON.parse(tags) as string[])].join(' '), redact)
  return { page: 0, kind: 'title', text, tool: '', callId: '', failed: false, message: '', time }
}

/** Takes away the text of every document, and has every session log read anew. */
export function forgetTexts(db: Database): void {
  dropAll(db)
  db.exec("UPDATE cold_docs SET state = 'waiting', found = 0, log = ''; DELETE FROM cold_logs; DELETE FROM sessions")
}

/** Whether a live session told more a moment ago than its log on disk does: the host has not stored it yet. */
function isAhead(db: Database, ns: number, doc: string, { session, supplied }: Source): boolean {
  if (supplied > 0) return false
  const at = statement(db, 'SELECT supplied FROM cold_logs WHERE ns = ? AND doc = ? AND session = ?').pluck()
  const last = Number(at.get(ns, doc, session) ?? 0)
  return last > 0 && Math.abs(Date.now() - last) < UNSTORED_MS
}

/** Whether another session's log holds some of a document. */
function hasOther(db: Database, ns: number, doc: string, session: string): boolean {
  const other = statement(db, 'SELECT 1 FROM cold_logs WHERE ns = ? AND doc = ? AND session <> ?')
  return other.get(ns, doc, session) !== undefined
}

function writePart(db: Database, document: StoredDocument, number: number, part: Part): void {
  const { ns, doc, clock, session, time } = document
  const { text, tool } = part
  // Parts of one document were archived by one event; among themselves they come in reading order.
  const event = `${document.id}#${String(number).padStart(6, '0')}`
  const spoken = part.kind === 'user' || part.kind === 'assistant'
  const { lastInsertRowid } = statement(
    db,
    `INSERT INTO memory_blocks (ns, id, text_content, tool, semantic_type, frame_ts, page_seq, page_kind, block_role, call_id,
       speaker, session, created_at, updated_at, first_clock, first_event, last_clock, last_event)
     VALUES (@ns, @id, @text, @tool, 'page', @saidAt, @page, @pageKind, @role, @callId,
       @speaker, @session, @time, @time, @clock, @event, @clock, @event)`,
  ).run({
    ns: pagesOf(ns),
    id: `${doc}#${number}`,
    text,
    tool,
    saidAt: part.time === 0 ? time : part.time,
    page: part.page,
    pageKind: spoken ? 'llm_round' : 'tool_round',
    role: spoken ? (part.kind === 'user' ? 'request' : 'response') : part.kind,
    callId: part.callId,
    speaker: spoken ? part.kind : '',
    session,
    time,
    clock,
    event,
  })
  statement(
    db,
    `INSERT INTO cold_events (ns, doc, part, page, kind, tool, call_id, failed, message, time, row, indexed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  ).run(
    ns,
    doc,
    number,
    part.page,
    part.kind,
    tool,
    part.callId,
    part.failed ? 1 : 0,
    part.message,
    part.time,
    Number(lastInsertRowid),
  )
}
