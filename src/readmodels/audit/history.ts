import type { Database } from 'better-sqlite3'
import type { HistoryAnswer, HistoryEntry, HistoryRequest, Replacement } from '../port.ts'
import { aliasTable } from '../projector/aliases.ts'
import { allNamespaces, namespaceNumbers } from './lookup.ts'
import { replacements } from './replacements.ts'

/** Entries of one history; more are counted. */
const MAX_ENTRIES = 1_000

interface Saying {
  readonly event: string
  readonly time: number
  readonly turn: number | null
  readonly what: string
  readonly wording: string | null
}

/** Whether the event of a row was made where it is asked about. */
const OWN = '(@all OR ns <> 0 OR EXISTS (SELECT 1 FROM events_seen e WHERE e.id = event AND e.ns = @ns))'

/** What each kind of event says of a block. What was done everywhere is told everywhere; why, only where it was done. */
const SAYINGS: readonly string[] = [
  `SELECT event, time, turn, CASE dead WHEN 0 THEN text END AS wording, CASE dead
     WHEN 1 THEN 'said by ' || origin || ', and purged since'
     ELSE 'said by ' || origin
       || CASE source WHEN '' THEN '' ELSE ', source ' || source END
       || CASE scene WHEN '' THEN '' ELSE ', scene ' || scene END
       || CASE redacted WHEN '' THEN '' ELSE ', removed ' || redacted END
     END AS what
   FROM block_sources WHERE ns = @ns AND block = @id`,
  `SELECT event, time, turn, NULL AS wording,
     'purged' || CASE ns WHEN 0 THEN ' everywhere' ELSE '' END
       || CASE WHEN reason = '' OR NOT ${OWN} THEN '' ELSE ': ' || reason END AS what
   FROM tombstones WHERE ns IN (0, @ns) AND block = @id`,
  `SELECT event, time, turn, NULL AS wording, dropped || ' was merged into ' || keep
       || CASE WHEN reason = '' OR NOT ${OWN} THEN '' ELSE ': ' || reason END AS what
   FROM merges WHERE ns IN (0, @ns) AND (dropped = @id OR keep = @id)`,
  `SELECT event, time, turn, NULL AS wording,
     verb || ' ' || source_kind || ' ' || source_id || ' ' || type || ' ' || target_kind || ' ' || target_id AS what
   FROM edge_events
   WHERE ns = @ns AND ((source_kind = 'block' AND source_id = @id) OR (target_kind = 'block' AND target_id = @id))`,
  `SELECT h.event, h.time, r.turn, NULL AS wording,
     'recalled by ' || r.mode || printf(', score %.3f', h.score) || CASE h.why WHEN '' THEN '' ELSE ': ' || h.why END AS what
   FROM recall_hits h JOIN recalls r ON r.event = h.event WHERE h.ns = @ns AND h.block = @id`,
  `SELECT e.event, e.time, NULL AS turn, NULL AS wording, 'was given a vector in ' || s.fingerprint AS what
   FROM embed_events e JOIN vector_spaces s USING (space) WHERE e.ns = @ns AND e.block = @id`,
]

/** Every event that touched a block, under any of the ids that mean it, in event order. */
export function history(db: Database, { namespace, id }: HistoryRequest): HistoryAnswer {
  const aliases = aliasTable(db)
  const seen = db.prepare<[string], Pick<HistoryEntry, 'clock' | 'verb' | 'session' | 'seq' | 'namespace'>>(
    `SELECT e.clock, e.verb, e.session, e.seq, n.id AS namespace FROM events_seen e JOIN namespaces n USING (ns) WHERE e.id = ?`,
  )
  const sayings = SAYINGS.map(sql => db.prepare<[{ ns: number; id: string; all: 0 | 1 }], Saying>(sql))
  const found = new Map<string, HistoryEntry>()
  const names = new Set<string>()
  const replaced = new Map<string, Replacement>()
  const shown = db
    .prepare<[number, string], string>('SELECT text_content FROM memory_blocks WHERE ns = ? AND id = ?')
    .pluck()
  let text: string | null = null
  const all = namespace === undefined ? 1 : 0
  for (const ns of namespace === undefined ? allNamespaces(db) : namespaceNumbers(db, namespace)) {
    for (const block of aliases.family(ns, id)) {
      names.add(block)
      text ??= shown.get(ns, block) ?? null
      for (const one of replacements(db, ns, block)) replaced.set(`${one.id} ${one.by}`, one)
      for (const saying of sayings.flatMap(statement => statement.all({ ns, id: block, all }))) {
        const event = seen.get(saying.event)
        if (event !== undefined && !found.has(saying.event)) found.set(saying.event, { ...event, ...saying, block })
      }
    }
  }
  const entries = [...found.values()].sort((a, b) => a.clock - b.clock || (a.event < b.event ? -1 : 1))
  return {
    id,
    ids: [...names].sort(),
    entries: entries.slice(0, MAX_ENTRIES),
    total: entries.length,
    replacements: [...replaced.values()],
    text,
  }
}
