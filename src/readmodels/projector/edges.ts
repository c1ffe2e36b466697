import type { Database } from 'better-sqlite3'
import type { LinkEvent, UnlinkEvent } from '../../events/index.ts'
import type { ShownNames } from './shown.ts'

/** One end of an edge. */
interface End {
  readonly kind: string
  readonly id: string
}

/** Ids of one namespace, as a JSON list. */
interface Named {
  readonly ns: number
  readonly ids: string
}

interface Row {
  readonly clock: number
  readonly event: string
  readonly verb: 'link' | 'unlink'
  readonly source_kind: string
  readonly source_id: string
  readonly target_kind: string
  readonly target_id: string
  readonly type: string
  readonly confidence: number
  readonly session: string
  readonly turn: number | null
  readonly time: number
}

/**
 * Edges. `edge_events` keeps what was said, under the names of the time; `memory_block_edges` is what it amounts to
 * under the ids that endpoints are shown under now: of all that was said of one edge the latest counts, and one said under a
 * name that was merged away is a row of status `merged` that names the edge it became.
 */
export function edgeTables(db: Database, namesIn: (ns: number) => ShownNames) {
  const add = db.prepare(`INSERT OR IGNORE INTO edge_events
    (ns, event, clock, verb, source_kind, source_id, target_kind, target_id, type, confidence, session, turn, time)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const ofEnds = db.prepare<[number, string, string, string, string, string], Row>(
    `SELECT * FROM edge_events WHERE ns = ? AND source_kind = ? AND source_id = ? AND target_kind = ? AND target_id = ? AND type = ?`,
  )
  const ofNames = db.prepare<[number, string, string, string, string, string], Row>(
    `SELECT * FROM edge_events WHERE ns = ? AND source_kind = ? AND source_id IN (SELECT value FROM json_each(?))
       AND target_kind = ? AND target_id IN (SELECT value FROM json_each(?)) AND type = ?`,
  )
  const any = db.prepare<[], number>('SELECT 1 FROM edge_events LIMIT 1').pluck()
  const touching = db.prepare<[Named], Row>(
    `SELECT * FROM edge_events WHERE ns = @ns AND source_kind = 'block' AND source_id IN (SELECT value FROM json_each(@ids))
     UNION SELECT * FROM edge_events WHERE ns = @ns AND target_kind = 'block' AND target_id IN (SELECT value FROM json_each(@ids))`,
  )
  const write = db.prepare(`INSERT OR REPLACE INTO memory_block_edges
    (ns, source_kind, source_id, target_kind, target_id, type, confidence, session_id, turn_id, status, merged_into, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const removeFrom = db.prepare<[Named]>(
    "DELETE FROM memory_block_edges WHERE ns = @ns AND source_kind = 'block' AND source_id IN (SELECT value FROM json_each(@ids))",
  )
  const removeTo = db.prepare<[Named]>(
    "DELETE FROM memory_block_edges WHERE ns = @ns AND target_kind = 'block' AND target_id IN (SELECT value FROM json_each(@ids))",
  )

  /** All that was said of an edge, under any names of its ends. */
  const saidOf = (ns: number, names: ShownNames, source: End, target: End, type: string): Row[] => {
    const [from, to] = [source, target].map(({ kind, id }) => (kind === 'block' ? names.all(id) : [id])) as [
      string[],
      string[],
    ]
    return from.length === 1 && to.length === 1
      ? ofEnds.all(ns, source.kind, source.id, target.kind, target.id, type)
      : ofNames.all(ns, source.kind, JSON.stringify(from), target.kind, JSON.stringify(to), type)
  }

  /** Writes an edge, and the rows of the names it had, from all that was said of it. */
  const refresh = (ns: number, names: ShownNames, source: End, target: End, type: string): void => {
    const said = saidOf(ns, names, source, target, type).sort(
      (a, b) => a.clock - b.clock || (a.event < b.event ? -1 : 1),
    )
    const [first] = said
    const last = said.at(-1)
    if (first === undefined || last === undefined) return
    const born = said.find(({ verb }) => verb === 'link') ?? first
    const confidence = said.findLast(({ verb }) => verb === 'link')?.confidence ?? 0
    const circular = source.kind === target.kind && source.id === target.id
    const status = circular ? 'collapsed' : last.verb === 'link' ? 'active' : 'unlinked'
    const put = (from: string, to: string, as: string, into: string | null) =>
      write.run(ns, source.kind, from, target.kind, to, type, confidence, born.session, born.turn, as, into, born.time)
    put(source.id, target.id, status, null)
    for (const { source_id, target_id } of said) {
      if (source_id === source.id && target_id === target.id) continue
      put(source_id, target_id, 'merged', `${source.id} ${target.id}`)
    }
  }

  return {
    fold(event: LinkEvent | UnlinkEvent, verb: 'link' | 'unlink', ns: number): void {
      const { id, clock, at, sourceKind, sourceId, targetKind, targetId, type } = event
      const confidence = 'confidence' in event ? (event.confidence ?? 1) : 1
      add.run(
        ns,
        id,
        clock,
        verb,
        sourceKind,
        sourceId,
        targetKind,
        targetId,
        type,
        confidence,
        at.session ?? '',
        at.turn ?? null,
        at.time,
      )
      const names = namesIn(ns)
      refresh(ns, names, shown(names, sourceKind, sourceId), shown(names, targetKind, targetId), type)
    },

    /** Brings the edges of some blocks to the ids that these are shown under now. */
    rename(ns: number, ids: readonly string[]): void {
      if (ids.length === 0 || any.get() === undefined) return
      const names = namesIn(ns)
      // Others may still be shown under one of these.
      const named = { ns, ids: JSON.stringify([...new Set(ids.flatMap(id => [id, ...names.all(id)]))]) }
      removeFrom.run(named)
      removeTo.run(named)
      const done = new Set<string>()
      for (const row of touching.all(named)) {
        const source = shown(names, row.source_kind, row.source_id)
        const target = shown(names, row.target_kind, row.target_id)
        const edge = JSON.stringify([source, target, row.type])
        if (done.has(edge)) continue
        done.add(edge)
        refresh(ns, names, source, target, row.type)
      }
    },
  }
}

/** An end under the id that it is shown under. */
function shown(names: ShownNames, kind: string, id: string): End {
  return { kind, id: kind === 'block' ? names.of(id) : id }
}
