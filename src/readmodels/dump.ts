import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'

/**
 * The canonical content, one JSON line a fact: natural keys, no row ids, cursors or centroids, times from events, lists
 * in event order. Two databases hold the same memory exactly when their dumps are equal byte for byte.
 */
const PARTS: ReadonlyArray<readonly [name: string, sql: string]> = [
  ['namespace', 'SELECT id, label FROM namespaces ORDER BY id'],
  [
    'event',
    `SELECT e.id, e.clock, e.verb, n.id AS namespace, e.session FROM events_seen e JOIN namespaces n USING (ns)
     ORDER BY e.clock, e.id`,
  ],
  [
    'block',
    `SELECT n.id AS namespace, b.id, modality, text_content, source, tool, scene, semantic_type, frame_ts, page_seq,
       page_kind, block_role, call_id, speaker, session, inactive, last_recalled_at, created_at, updated_at,
       first_clock, first_event, last_clock, last_event, fact_subject, fact_dim, fact_value
     FROM memory_blocks b JOIN namespaces n USING (ns) ORDER BY n.id, b.id`,
  ],
  [
    'said',
    `SELECT n.id AS namespace, block, s.clock, s.event, session, turn, step, time, origin, source, tool, scene,
       semantic_type, redacted, frame, text, dead
     FROM block_sources s JOIN namespaces n USING (ns) ORDER BY n.id, block, s.clock, s.event`,
  ],
  [
    'tombstone',
    `SELECT n.id AS namespace, block, t.clock, t.event, turn, time, reason FROM tombstones t LEFT JOIN namespaces n USING (ns)
     ORDER BY n.id, block, t.clock, t.event`,
  ],
  [
    'purged text',
    `SELECT n.id AS namespace, block, length, head, print, hash, alone FROM cold_purged p JOIN namespaces n USING (ns)
     ORDER BY n.id, block`,
  ],
  [
    'merge',
    `SELECT n.id AS namespace, dropped, m.clock, m.event, keep, reason, turn, time FROM merges m LEFT JOIN namespaces n USING (ns)
     ORDER BY n.id, dropped, m.clock, m.event`,
  ],
  [
    'edge event',
    `SELECT n.id AS namespace, e.event, e.clock, verb, source_kind, source_id, target_kind, target_id, type, confidence,
       session, turn, time
     FROM edge_events e JOIN namespaces n USING (ns) ORDER BY e.clock, e.event, source_id, target_id`,
  ],
  [
    'edge',
    `SELECT n.id AS namespace, source_kind, source_id, target_kind, target_id, type, confidence, session_id, turn_id,
       status, merged_into, created_at
     FROM memory_block_edges JOIN namespaces n USING (ns)
     ORDER BY n.id, source_kind, source_id, target_kind, target_id, type`,
  ],
  [
    'space',
    `SELECT n.id AS namespace, s.event, s.clock, session, fingerprint, dim, provider, model
     FROM spaces s JOIN namespaces n USING (ns) ORDER BY s.clock, s.event`,
  ],
  [
    'vector space',
    'SELECT fingerprint, dim, provider, model, clock, event FROM vector_spaces WHERE dim IS NOT NULL ORDER BY fingerprint',
  ],
  [
    'vector',
    `SELECT n.id AS namespace, kind, target, s.fingerprint, captured, v.clock, v.event, fault, data
     FROM vectors v JOIN namespaces n USING (ns) JOIN vector_spaces s USING (space)
     ORDER BY n.id, kind, target, s.fingerprint, v.clock, v.event`,
  ],
  [
    'embedded',
    `SELECT n.id AS namespace, block, e.event, fingerprint, time
     FROM embed_events e JOIN namespaces n USING (ns) JOIN vector_spaces USING (space) ORDER BY n.id, block, e.event`,
  ],
  [
    'recall',
    `SELECT n.id AS namespace, r.event, r.clock, session, turn, time, mode, query_hash, message, outcome
     FROM recalls r JOIN namespaces n USING (ns) ORDER BY r.clock, r.event`,
  ],
  [
    'document',
    `SELECT n.id AS namespace, doc, title, tags, named, origin, session, turn, ended, messages, calls, uncited, d.clock, d.event,
       time, state = 'held' AS held, found, log
     FROM cold_docs d JOIN namespaces n USING (ns) ORDER BY n.id, doc`,
  ],
  [
    'page part',
    `SELECT n.id AS namespace, e.doc, e.part, e.page, e.kind, e.tool, e.call_id, e.failed, e.message, e.time,
       b.text_content, b.session, b.frame_ts, b.page_kind, b.block_role, b.created_at, b.first_clock, b.first_event
     FROM cold_events e JOIN namespaces n USING (ns) JOIN memory_blocks b USING (row) ORDER BY n.id, e.doc, e.part`,
  ],
  [
    'withheld page',
    `SELECT n.id AS namespace, doc, page, w.clock, w.event FROM cold_withheld w LEFT JOIN namespaces n USING (ns)
     ORDER BY n.id, doc, page, w.clock, w.event`,
  ],
  [
    'distilled',
    `SELECT n.id AS namespace, doc, s.clock, s.event, by_whom, blocks, time FROM cold_distilled s JOIN namespaces n USING (ns)
     ORDER BY s.clock, s.event`,
  ],
  [
    'recalled page',
    `SELECT n.id AS namespace, doc, page, p.clock, p.event, mode, time, score, exact, why
     FROM recall_pages p JOIN namespaces n USING (ns) ORDER BY p.clock, p.event, doc, page`,
  ],
  [
    'hit',
    `SELECT n.id AS namespace, block, h.clock, h.event, rank, time, score, exact, why
     FROM recall_hits h JOIN namespaces n USING (ns) ORDER BY h.clock, h.event, rank`,
  ],
]

/**
 * The lines of the dump, without line ends, one after another.
 *
 * @param untold documents, by `documentKey`, whose text is left out as if their logs had not been read
 */
export function* dumpLines(db: Database, untold: ReadonlySet<string> = new Set()): Generator<string> {
  for (const [name, sql] of PARTS) {
    const ofDocuments = name === 'document' || name === 'page part'
    for (const row of db.prepare(sql).iterate()) {
      if (!ofDocuments || !untold.has(documentKey(row))) yield JSON.stringify([name, printable(row)])
      else if (name === 'document') yield JSON.stringify([name, { ...(row as object), held: 0, found: 0, log: '' }])
    }
  }
}

/** Documents whose text is not at hand: their logs were not read yet, or are gone. */
export function untoldDocuments(db: Database): Set<string> {
  const rows = db
    .prepare("SELECT n.id AS namespace, doc FROM cold_docs JOIN namespaces n USING (ns) WHERE state <> 'held'")
    .all()
  return new Set(rows.map(documentKey))
}

function documentKey(row: unknown): string {
  const { namespace, doc } = row as { readonly namespace: string; readonly doc: string }
  return `${namespace} ${doc}`
}

/** A row with the hash of bytes in their place. */
function printable(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value,
    ]),
  )
}
