/**
 * Tables of the recall index. Everything in them follows from the rows of `memory_blocks` and their conversation places,
 * and is kept up by `indexBlock` and `unindexBlock` alone.
 *
 * - `memory_blocks_fts`: which rows hold a token. Contentless, no positions: it is asked one token at a time. Tokens
 *   carry their namespace (`3_port`), so posting lists and counts of one namespace neither see nor show another.
 * - `recall_fresh`: tokens of the newest rows, which are not in that table yet; they go there many at a time.
 * - `symbol`: exact symbols, letter case kept; level 2 the token as written, level 1 a part of it.
 * - `recall_terms`: what re-scoring needs of a row: its tokens as hashes with counts, its length, its place in a conversation.
 * - `recall_rank`: the narrow copy held in memory: length and first clock by row.
 * - `recall_fact`: facts of the form `subject|dim=value` by subject and dimension.
 * - `recall_space`: per namespace counts, the highest row indexed (`top`) and a generation (`epoch`) that rises when an
 *   older row is indexed or one is taken out. Caches are valid by these two, across processes and rolled-back writes.
 * - `recall_whole`: the same pair for all namespaces together, which is how `recall_rank` is loaded, with the number of
 *   fresh rows, and a generation that rises when any of them leave.
 */
export const RECALL_SCHEMA = `
CREATE VIRTUAL TABLE IF NOT EXISTS memory_blocks_fts USING fts5(
  tokens, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'"
);
CREATE TABLE IF NOT EXISTS recall_fresh (row INTEGER PRIMARY KEY, tokens TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS symbol (
  ns INTEGER NOT NULL, text TEXT NOT NULL, level INTEGER NOT NULL, row INTEGER NOT NULL,
  PRIMARY KEY (ns, text, row)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recall_terms (
  row INTEGER PRIMARY KEY, ns INTEGER NOT NULL, length INTEGER NOT NULL,
  asks REAL NOT NULL, ends_asking INTEGER NOT NULL, says_when INTEGER NOT NULL,
  session TEXT, position REAL, speaker TEXT, said_at INTEGER,
  symbols TEXT, fact TEXT, event TEXT NOT NULL, terms BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS recall_terms_place ON recall_terms (ns, session, position, event) WHERE session IS NOT NULL;
CREATE TABLE IF NOT EXISTS recall_rank (row INTEGER PRIMARY KEY, length INTEGER NOT NULL, clock INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS recall_fact (
  ns INTEGER NOT NULL, key TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (ns, key, row)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recall_space (
  ns INTEGER PRIMARY KEY, blocks INTEGER NOT NULL, length INTEGER NOT NULL,
  lines INTEGER NOT NULL, line_length INTEGER NOT NULL, top INTEGER NOT NULL, epoch INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS memory_blocks_scene ON memory_blocks (ns, scene) WHERE scene <> '';
CREATE INDEX IF NOT EXISTS memory_blocks_time ON memory_blocks (ns, coalesce(frame_ts, created_at));
CREATE TABLE IF NOT EXISTS recall_whole (
  one INTEGER PRIMARY KEY CHECK (one = 1), top INTEGER NOT NULL, epoch INTEGER NOT NULL,
  fresh INTEGER NOT NULL, fresh_epoch INTEGER NOT NULL
);
INSERT OR IGNORE INTO recall_whole (one, top, epoch, fresh, fresh_epoch) VALUES (1, 0, 0, 0, 0);
`
