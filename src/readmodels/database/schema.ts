import { COLD_SCHEMA, COLD_TABLES } from '../cold/schema.ts'
import { RECALL_SCHEMA } from '../recall/schema.ts'
import { VECTOR_SCHEMA, VECTOR_TABLES } from '../vectors/schema.ts'

/** "holo", in SQLite's application id: tells our file from that of another application. */
export const APPLICATION_ID = 0x686f6c6f

/**
 * Table and column names of blocks follow the original. `row` and `ns` are numbers of this file only; everything that
 * leaves the database uses (namespace id, block id). (`first_clock`, `first_event`) is the order of the earliest commit.
 */
const TABLES = `
CREATE TABLE namespaces (
  ns INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  clock INTEGER NOT NULL,
  event TEXT NOT NULL
);

-- What was read of each stored session log, so that an unchanged one need not be read again.
CREATE TABLE sessions (
  path TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  modified REAL NOT NULL,
  session TEXT NOT NULL
) WITHOUT ROWID;

-- How far each journal stream was read, in bytes.
CREATE TABLE journal_streams (
  name TEXT PRIMARY KEY,
  offset INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE events_seen (
  id TEXT PRIMARY KEY,
  clock INTEGER NOT NULL,
  verb TEXT NOT NULL,
  ns INTEGER NOT NULL,
  session TEXT NOT NULL,
  seq INTEGER,
  journaled INTEGER NOT NULL,
  -- For a commit: whether its block was new in its namespace when it was folded.
  brought INTEGER NOT NULL,
  -- First 48 bits of the SHA-256 of what it says.
  digest INTEGER NOT NULL
) WITHOUT ROWID;

-- Events that were met with different contents, and the lowest digest of these: what has another one does not count.
-- Kept when all else is emptied, as a rebuild has to know them beforehand.
CREATE TABLE disputes (
  event TEXT PRIMARY KEY,
  digest INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE memory_blocks (
  row INTEGER PRIMARY KEY,
  ns INTEGER NOT NULL,
  id TEXT NOT NULL,
  modality TEXT NOT NULL DEFAULT 'text',
  text_content TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  tool TEXT NOT NULL DEFAULT '',
  scene TEXT NOT NULL DEFAULT '',
  semantic_type TEXT NOT NULL DEFAULT '',
  frame_ts INTEGER,
  page_seq INTEGER,
  page_kind TEXT NOT NULL DEFAULT '',
  block_role TEXT NOT NULL DEFAULT '',
  call_id TEXT NOT NULL DEFAULT '',
  speaker TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL DEFAULT '',
  inactive INTEGER NOT NULL DEFAULT 0,
  last_recalled_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  first_clock INTEGER NOT NULL,
  first_event TEXT NOT NULL,
  last_clock INTEGER NOT NULL,
  last_event TEXT NOT NULL,
  -- Of a fact \`subject|dim=value\`.
  fact_subject TEXT,
  fact_dim TEXT,
  fact_value TEXT,
  UNIQUE (ns, id)
);
CREATE INDEX memory_blocks_fact ON memory_blocks (ns, fact_subject, fact_dim) WHERE fact_subject IS NOT NULL;

-- One row a commit: every place a block was said. \`text\` is null where the author's bytes are the canonical text, and
-- where a purge covers the commit (\`dead\`).
CREATE TABLE block_sources (
  ns INTEGER NOT NULL,
  block TEXT NOT NULL,
  clock INTEGER NOT NULL,
  event TEXT NOT NULL,
  session TEXT NOT NULL,
  turn INTEGER,
  step INTEGER,
  seq INTEGER,
  time INTEGER NOT NULL,
  origin TEXT NOT NULL,
  source TEXT NOT NULL,
  tool TEXT NOT NULL,
  scene TEXT NOT NULL,
  semantic_type TEXT NOT NULL,
  redacted TEXT NOT NULL,
  frame TEXT,
  text TEXT,
  dead INTEGER NOT NULL,
  PRIMARY KEY (ns, block, clock, event)
) WITHOUT ROWID;
CREATE INDEX block_sources_session ON block_sources (ns, session, block) WHERE dead = 0;

-- Namespace 0 is every namespace, here and in \`merges\`.
CREATE TABLE tombstones (
  ns INTEGER NOT NULL,
  block TEXT NOT NULL,
  clock INTEGER NOT NULL,
  event TEXT NOT NULL,
  turn INTEGER,
  time INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (ns, block, clock, event)
) WITHOUT ROWID;

CREATE TABLE merges (
  ns INTEGER NOT NULL,
  dropped TEXT NOT NULL,
  clock INTEGER NOT NULL,
  event TEXT NOT NULL,
  keep TEXT NOT NULL,
  reason TEXT NOT NULL,
  turn INTEGER,
  time INTEGER NOT NULL,
  PRIMARY KEY (ns, dropped, clock, event)
) WITHOUT ROWID;
CREATE INDEX merges_keep ON merges (keep, ns);

-- What was said of edges, under the names that endpoints had then.
CREATE TABLE edge_events (
  ns INTEGER NOT NULL,
  event TEXT NOT NULL,
  clock INTEGER NOT NULL,
  verb TEXT NOT NULL,
  source_kind TEXT NOT NULL,
  source_id TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  type TEXT NOT NULL,
  confidence REAL NOT NULL,
  session TEXT NOT NULL,
  turn INTEGER,
  time INTEGER NOT NULL,
  -- A distill event says several.
  PRIMARY KEY (event, source_id, target_id)
) WITHOUT ROWID;
CREATE INDEX edge_events_source ON edge_events (ns, source_kind, source_id);
CREATE INDEX edge_events_target ON edge_events (ns, target_kind, target_id);

CREATE TABLE memory_block_edges (
  ns INTEGER NOT NULL,
  source_kind TEXT NOT NULL,
  source_id TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  type TEXT NOT NULL,
  confidence REAL NOT NULL,
  session_id TEXT NOT NULL,
  turn_id INTEGER,
  status TEXT NOT NULL,
  merged_into TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ns, source_kind, source_id, target_kind, target_id, type)
) WITHOUT ROWID;
CREATE INDEX memory_block_edges_target ON memory_block_edges (ns, target_kind, target_id);


CREATE TABLE recalls (
  event TEXT PRIMARY KEY,
  ns INTEGER NOT NULL,
  clock INTEGER NOT NULL,
  session TEXT NOT NULL,
  turn INTEGER,
  time INTEGER NOT NULL,
  mode TEXT NOT NULL,
  query_hash TEXT NOT NULL,
  message TEXT NOT NULL,
  outcome TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE recall_hits (
  ns INTEGER NOT NULL,
  block TEXT NOT NULL,
  clock INTEGER NOT NULL,
  event TEXT NOT NULL,
  rank INTEGER NOT NULL,
  time INTEGER NOT NULL,
  score REAL NOT NULL,
  exact INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (ns, block, clock, event, rank)
) WITHOUT ROWID;

-- Every space a session has written in.
CREATE TABLE spaces (
  event TEXT PRIMARY KEY,
  ns INTEGER NOT NULL,
  clock INTEGER NOT NULL,
  session TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  dim INTEGER NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL
) WITHOUT ROWID;

-- Facts about this file: when it was last checked.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
`

export const SCHEMA = TABLES + RECALL_SCHEMA + VECTOR_SCHEMA + COLD_SCHEMA

/** The tables of ours; those of the recall index are emptied by its own means. */
export const OWN_TABLES = [
  'namespaces',
  'sessions',
  'journal_streams',
  'events_seen',
  'memory_blocks',
  'block_sources',
  'tombstones',
  'merges',
  'edge_events',
  'memory_block_edges',
  'recalls',
  'recall_hits',
  'spaces',
  ...COLD_TABLES,
  ...VECTOR_TABLES,
] as const
