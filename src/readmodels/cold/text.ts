import type { Database } from 'better-sqlite3'
import { canonicalText, type Said } from '../../events/index.ts'
import { indexBlock } from '../recall/index.ts'
import { statement } from '../recall/statements.ts'
import { findDocument, type StoredDocument } from './documents.ts'
import { dropParts } from './drop.ts'
import { type Cited, citedIn, type Part, partsOf } from './parts.ts'
import { pagesOf } from './schema.ts'

/** Takes secrets out of a text. May throw, when a pattern of the user's own runs out of time. */
export type Redact = (text: string) => string

/** Where the text of a document comes from. */
export interface Source {
  /** Session whose log holds it. */
  readonly session: string
  /** When a live session handed it over, Unix milliseconds; 0 when it was read from disk. */
  readonly supplied: number
  readonly said: readonly Said[]
}

/** Characters of one part that are kept; what is beyond stays in the log. */
export const MAX_PART = 200_000
/** Characters of one part that are looked for by words: of what was said, and of what tools took and gave. */
const INDEXED = { said: 32_000, tools: 8_000, manyTools: 500 } as const
/** Parts of a document after which less of what tools took and gave is looked for: thousands of them would take seconds. */
const MANY_PARTS = 1_000
/** How long a host may take to store what a live session handed over, in milliseconds. */
const UNSTORED_MS = 600_000
/** Longest name of a tool: a model may call what no tool is named. */
const MAX_TOOL = 80
const NOT_REDACTED = '[left out: it could not be redacted in time]'
/** More parts than any turn has; places of different turns do not meet. */
const TURN_WIDTH = 1_000_000

export function citedBy({ messages, calls }: Pick<StoredDocument, 'messages' | 'calls'>): Cited {
  return { messages: new Set(JSON.parse(messages) as string[]), calls: new Set(JSON.parse(calls) as string[]) }
}

/**
 * Gives a document its text, as a session's log holds it. Of several logs the one that holds most of it counts; a log
 * that was read anew replaces what it gave before. Returns whether the document can be read now.
 */
export function hold(db: Database, ns: number, doc: string, from: Source, redact: Redact): boolean {
  const document = findDocument(db, ns, doc)
  if (document === undefined) return false
  const cited = citedBy(document)
  const found = citedIn(from.said, cited).length
  if (found < document.found && isAhead(db, ns, doc, from)) return document.state === 'held'
  if (found === 0) return release(db, ns, doc, from.session)
  statement(
    db,
    `INSERT INTO cold_logs (ns, doc, session, supplied) VALUES (@ns, @doc, @session, @supplied)
     ON CONFLICT (ns, doc, session) DO UPDATE SET supplied = excluded.supplied`,
  ).run({ ns, doc, session: from.session, supplied: from.supplied })
  const shrunken = found < document.found && isAlone(db, ns, doc, from.session)
  if (document.state === 'held' && found <= document.found && !shrunken) return true
  dropParts(db, ns, doc)
  const parts = partsOf(from.said, cited)
  for (const [number, part] of parts.entries()) writePart(db, document, number, part, redact)
  if (document.named === 1) writePart(db, document, parts.length, titleOf(document), redact)
  statement(db, "UPDATE cold_docs SET state = 'held', found = ? WHERE ns = ? AND doc = ?").run(found, ns, doc)
  return true
}

/**
 * A session's log does not hold a document any more, or never did. Without another that does, its text is withdrawn.
 * Returns whether another does.
 */
export function release(db: Database, ns: number, doc: string, session: string): boolean {
  statement(db, 'DELETE FROM cold_logs WHERE ns = ? AND doc = ? AND session = ?').run(ns, doc, session)
  if (statement(db, 'SELECT 1 FROM cold_logs WHERE ns = ? AND doc = ?').get(ns, doc) !== undefined) return true
  dropParts(db, ns, doc)
  statement(db, "UPDATE cold_docs SET state = 'withdrawn', found = 0 WHERE ns = ? AND doc = ?").run(ns, doc)
  return false
}

/** A title that somebody chose is looked for like a part of the first page; it is not read as one. */
function titleOf({ title, tags, time }: StoredDocument): Part {
  const text = [title, ...(JSON.parse(tags) as string[])].join(' ')
  return { page: 0, kind: 'title', text, tool: '', callId: '', failed: false, message: '', time }
}

/** Takes away the text of every document, and has every session log read anew. */
export function forgetTexts(db: Database): void {
  const held = statement(db, "SELECT ns, doc FROM cold_docs WHERE state = 'held'").all() as StoredDocument[]
  for (const { ns, doc } of held) dropParts(db, ns, doc)
  db.exec("UPDATE cold_docs SET state = 'waiting', found = 0; DELETE FROM cold_logs; DELETE FROM sessions")
}

/** Whether a live session told more a moment ago than its log on disk does: the host has not stored it yet. */
function isAhead(db: Database, ns: number, doc: string, { session, supplied }: Source): boolean {
  if (supplied > 0) return false
  const at = statement(db, 'SELECT supplied FROM cold_logs WHERE ns = ? AND doc = ? AND session = ?').pluck()
  const last = Number(at.get(ns, doc, session) ?? 0)
  return last > 0 && Math.abs(Date.now() - last) < UNSTORED_MS
}

function isAlone(db: Database, ns: number, doc: string, session: string): boolean {
  return (
    statement(db, 'SELECT 1 FROM cold_logs WHERE ns = ? AND doc = ? AND session <> ?').get(ns, doc, session) ===
    undefined
  )
}

function writePart(db: Database, document: StoredDocument, number: number, part: Part, redact: Redact): void {
  const { ns, doc, clock, session, turn, time } = document
  const text = kept(part.text, redact)
  const tool = kept(part.tool, redact).slice(0, MAX_TOOL).toWellFormed()
  // Parts of one document were archived by one event; among themselves they come in reading order.
  const event = `${document.id}#${String(number).padStart(6, '0')}`
  const spoken = part.kind === 'user' || part.kind === 'assistant'
  const saidAt = part.time === 0 ? time : part.time
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
    saidAt,
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
  const row = Number(lastInsertRowid)
  const limit = spoken ? INDEXED.said : number < MANY_PARTS ? INDEXED.tools : INDEXED.manyTools
  const canonical = canonicalText(text.slice(0, limit))
  statement(
    db,
    `INSERT INTO cold_events (ns, doc, part, page, kind, tool, call_id, failed, message, time, row, cut)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    row,
    text.length > limit ? 1 : 0,
  )
  if (canonical === '') return
  const place = { session, position: (turn ?? 0) * TURN_WIDTH + number, speaker: part.kind, saidAt }
  indexBlock(db, {
    row,
    ns: pagesOf(ns),
    canonicalText: canonical,
    clock,
    event,
    saidAt,
    ...(spoken ? { conversation: place } : {}),
  })
}

/** What is stored of a text: well-formed, without secrets, and of bounded length. */
function kept(text: string, redact: Redact): string {
  try {
    const redacted = redact(text.toWellFormed().replaceAll('\0', '\uFFFD'))
    if (redacted.length <= MAX_PART) return redacted
    const beyond = redacted.length - MAX_PART
    return `${redacted.slice(0, MAX_PART).toWellFormed()}\n[${beyond} more characters are in the session log]`
  } catch {
    return NOT_REDACTED
  }
}
