import DatabaseConstructor, { type Database } from 'better-sqlite3'
import { RECALL_SCHEMA } from '../../src/readmodels/recall/index.ts'

/** Opens a database with the recall index and the part of the read model's tables that recall reads. */
export function openMemory(path = ':memory:'): Database {
  const db = new DatabaseConstructor(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(`
    CREATE TABLE memory_blocks (
      row INTEGER PRIMARY KEY, ns INTEGER NOT NULL, id TEXT, text_content TEXT, source TEXT, scene TEXT, semantic_type TEXT,
      frame_ts INTEGER, page_seq INTEGER, page_kind TEXT, block_role TEXT, speaker TEXT, session TEXT, created_at INTEGER,
      updated_at INTEGER, first_clock INTEGER, first_event TEXT, last_clock INTEGER, last_event TEXT, inactive INTEGER DEFAULT 0,
      UNIQUE (ns, id)
    );
    CREATE TABLE block_sources (ns INTEGER, block TEXT, clock INTEGER, event TEXT, session TEXT, turn INTEGER, step INTEGER, time INTEGER, origin TEXT, dead INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX block_sources_block ON block_sources (ns, block);
  `)
  db.exec(RECALL_SCHEMA)
  return db
}
