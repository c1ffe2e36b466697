/**
 * Tables of the vector space. `vectors` holds what events said; everything else follows from it and from which blocks
 * are shown.
 *
 * - `vector_spaces`: numbers of spaces by fingerprint; what was declared of one last (`clock`, `event`); the point that
 *   its codes are measured from (`centre`, float32; null is the origin); and up to which vector, in event order, its
 *   centroid was built (`upto_…`), with `stale` set when one of those came or went since.
 * - `vectors`: the vectors of a target, at most four a space: see `standing.ts`. `fault` is why it cannot be compared,
 *   empty when it can. `shelf` and `serial` say where it is listed while it is the one that counts and its target is
 *   shown; `row` is the row of that target then.
 * - `vector_shelves`: what can be compared with one another: the shown vectors of one namespace, kind, space, dimension and
 *   fault. `live` counts them; `epoch` is a random number that changes when the shelf is written anew; codes with a serial up
 *   to `recode` may still be measured from an earlier centre.
 * - `vector_codes`: a shelf as a list of changes: a vector put in, or (no code) taken out. `stamp` is a random number: whoever
 *   holds a copy of the same epoch, up to a serial whose stamp is still the same, holds a true copy, after rolled-back
 *   writes and those of other processes too, and reads only what came after.
 * - `vector_targets`: how many shown targets of a namespace have a vector at all.
 * - `vector_sums`: see `mean.ts`. `graph_centroid`: see `centroid.ts`.
 * - `embed_events`: the events that brought a block a vector on their own, for its history; also of vectors that others
 *   have replaced since.
 * - `leases`: see `lease.ts`.
 */
export const VECTOR_SCHEMA = `
CREATE TABLE vector_spaces (
  space INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  dim INTEGER,
  provider TEXT NOT NULL DEFAULT '',
  model TEXT NOT NULL DEFAULT '',
  clock INTEGER NOT NULL DEFAULT 0,
  event TEXT NOT NULL DEFAULT '',
  centre BLOB,
  upto_clock INTEGER NOT NULL DEFAULT -1,
  upto_event TEXT NOT NULL DEFAULT '',
  stale INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE vectors (
  vector INTEGER PRIMARY KEY,
  ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  space INTEGER NOT NULL,
  captured INTEGER NOT NULL,
  fault TEXT NOT NULL,
  clock INTEGER NOT NULL,
  event TEXT NOT NULL,
  shelf INTEGER,
  serial INTEGER,
  row INTEGER,
  data BLOB NOT NULL
);
CREATE UNIQUE INDEX vectors_target ON vectors (ns, kind, target, space, captured, fault <> '');
CREATE INDEX vectors_of ON vectors (target, kind);
CREATE INDEX vectors_order ON vectors (space, clock, event);
CREATE TABLE vector_shelves (
  shelf INTEGER PRIMARY KEY,
  ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  space INTEGER NOT NULL,
  dim INTEGER NOT NULL,
  fault TEXT NOT NULL,
  live INTEGER NOT NULL DEFAULT 0,
  gone INTEGER NOT NULL DEFAULT 0,
  top INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0,
  recode INTEGER NOT NULL DEFAULT 0,
  UNIQUE (ns, kind, space, dim, fault)
);
CREATE TABLE vector_codes (
  shelf INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  stamp INTEGER NOT NULL,
  vector INTEGER NOT NULL,
  row INTEGER NOT NULL,
  code BLOB,
  PRIMARY KEY (shelf, serial)
) WITHOUT ROWID;
CREATE TABLE vector_targets (
  ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (ns, kind)
) WITHOUT ROWID;
CREATE TABLE vector_sums (
  space INTEGER NOT NULL,
  dim INTEGER NOT NULL,
  count INTEGER NOT NULL,
  sum BLOB NOT NULL,
  PRIMARY KEY (space, dim)
);
CREATE TABLE embed_events (
  ns INTEGER NOT NULL,
  block TEXT NOT NULL,
  event TEXT NOT NULL,
  space INTEGER NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (ns, block, event)
) WITHOUT ROWID;
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE graph_centroid (
  fingerprint TEXT PRIMARY KEY,
  dim INTEGER NOT NULL,
  vector_count INTEGER NOT NULL,
  vector BLOB NOT NULL,
  stats TEXT NOT NULL,
  built_at INTEGER NOT NULL
) WITHOUT ROWID;
`

/** All of them; emptied together, they follow from the events again. */
export const VECTOR_TABLES = [
  'vector_spaces',
  'vectors',
  'vector_shelves',
  'vector_codes',
  'vector_targets',
  'vector_sums',
  'embed_events',
  'leases',
  'graph_centroid',
] as const
