import type { Database } from 'better-sqlite3'
import DatabaseConstructor from 'better-sqlite3'
import {
  indexBlock,
  RECALL_SCHEMA,
  type RecallRequest,
  type RecallResult,
  recall,
} from '../../../src/readmodels/recall/index.ts'

/** A block as a test writes it; everything but the text has a default. */
export interface Note {
  readonly text: string
  readonly id?: string
  readonly ns?: number
  readonly clock?: number
  readonly event?: string
  readonly row?: number
  readonly source?: string
  readonly scene?: string
  readonly semanticType?: string
  readonly at?: number
  readonly said?: { session: string; position: number; speaker?: string; saidAt?: number }
  readonly sources?: readonly string[]
}

/** The tables recall reads, as the read model's migrations make them, in memory. */
export function emptyMemory(): Database {
  const db = new DatabaseConstructor(':memory:')
  db.exec(`
    CREATE TABLE memory_blocks (
      row INTEGER PRIMARY KEY, ns INTEGER NOT NULL, id TEXT, text_content TEXT, source TEXT, scene TEXT, semantic_type TEXT,
      frame_ts INTEGER, page_seq INTEGER, page_kind TEXT, block_role TEXT, speaker TEXT, session TEXT, created_at INTEGER,
      updated_at INTEGER, first_clock INTEGER, first_event TEXT, last_clock INTEGER, last_event TEXT, inactive INTEGER DEFAULT 0,
      UNIQUE (ns, id)
    );
    CREATE TABLE block_sources (ns INTEGER, block TEXT, clock INTEGER, event TEXT, session TEXT, turn INTEGER, step INTEGER, time INTEGER, origin TEXT, dead INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE merges (ns INTEGER, dropped TEXT, clock INTEGER, event TEXT, keep TEXT, turn INTEGER, time INTEGER);
  `)
  db.exec(`
    CREATE TABLE memory_block_edges (
      ns INTEGER NOT NULL, source_kind TEXT NOT NULL, source_id TEXT NOT NULL, target_kind TEXT NOT NULL,
      target_id TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL,
      PRIMARY KEY (ns, source_kind, source_id, target_kind, target_id, type)
    ) WITHOUT ROWID;
    CREATE INDEX memory_block_edges_target ON memory_block_edges (ns, target_kind, target_id);
  `)
  db.exec(RECALL_SCHEMA)
  return db
}

/** Stores notes in the order given; clocks count up from 1 unless a note names its own. */
export function remember(db: Database, notes: readonly (string | Note)[]): void {
  const insert = db.prepare(
    `INSERT INTO memory_blocks (row, ns, id, text_content, source, scene, semantic_type, frame_ts, created_at, speaker, first_clock, first_event, last_clock, last_event)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const from = db.prepare('SELECT count(*) FROM memory_blocks').pluck().get() as number
  notes.forEach((given, i) => {
    const note = typeof given === 'string' ? { text: given } : given
    const { ns = 1, clock = from + i + 1 } = note
    const event = note.event ?? `evt_${String(clock).padStart(6, '0')}`
    const id = note.id ?? `blk_${String(from + i).padStart(4, '0')}`
    const { lastInsertRowid } = insert.run(
      note.row ?? null,
      ns,
      id,
      note.text,
      note.source ?? 'tool',
      note.scene ?? null,
      note.semanticType ?? null,
      note.said?.saidAt ?? note.at ?? null,
      note.at ?? 0,
      note.said?.speaker ?? '',
      clock,
      event,
      clock,
      event,
    )
    for (const session of note.sources ?? []) {
      db.prepare('INSERT INTO block_sources (ns, block, session) VALUES (?, ?, ?)').run(ns, id, session)
    }
    indexBlock(db, {
      row: Number(lastInsertRowid),
      ns,
      canonicalText: note.text.normalize('NFC').replace(/\s+/g, ' ').trim(),
      clock,
      event,
      ...(note.at !== undefined && { saidAt: note.at }),
      ...(note.said && { conversation: note.said }),
    })
  })
}

export function memoryOfNotes(...notes: readonly (string | Note)[]): Database {
  const db = emptyMemory()
  remember(db, notes)
  return db
}

/** Recalls in namespace 1 and fails the test on anything degraded. */
export function ask(db: Database, query: string, rest: Partial<RecallRequest> = {}): RecallResult {
  const result = recall(db, { namespaces: [1], query, topK: 10, ...rest })
  if (result.degraded.length > 0) throw new Error(`degraded: ${result.degraded.join('; ')}`)
  return result
}

export function texts(result: RecallResult): string[] {
  return result.hits.map(hit => hit.text)
}
