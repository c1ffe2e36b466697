import type { Database } from 'better-sqlite3'
import type { LinkEvent, UnlinkEvent } from '../../events/index.ts'
import type { Aliases } from './aliases.ts'

/** One end of an edge. */
interface End {
  readonly kind: string
  readonly id: string
}

interface Named {
  readonly ns: number
  readonly id: string
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

/** Pairs of names that are asked for one by one; of more, the edges of each source are read. */
const FEW_PAIRS = 16

/**
 * Edges. `edge_events` keeps what was said, under the names of the time; `memory_block_edges` is what it amounts to
 * under the names that endpoints have now: of all that was said of one edge the latest counts, and one said under a
 * name that was merged away is a row of status `merged` that names the edge it became.
 */
export function edgeTables(db: Database, aliases: Aliases) {
  const add = db.prepare(`INSERT OR IGNORE INTO edge_events
    (ns, event, clock, verb, source_kind, source_id, target_kind, target_id, type, confidence, session, turn, time)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const ofEnds = db.prepare<[number, string, string, string, string, string], Row>(
    `SELECT * FROM edge_events WHERE ns = ? AND source_kind = ? AND source_id = ? AND target_kind = ? AND target_id = ? AND type = ?`,
  )
  const ofSource = db.prepare<[number, string, string, string, string], Row>(
    'SELECT * FROM edge_events WHERE ns = ? AND source_kind = ? AND source_id = ? AND target_kind = ? AND type = ?',
  )
  const touching = db.prepare<[Named], Row>(
    `SELECT * FROM edge_events WHERE ns = @ns AND source_kind = 'block' AND source_id = @id
     UNION SELECT * FROM edge_events WHERE ns = @ns AND target_kind = 'block' AND target_id = @id`,
  )
  const write = db.prepare(`INSERT OR REPLACE INTO memory_block_edges
    (ns, source_kind, source_id, target_kind, target_id, type, confidence, session_id, turn_id, status, merged_into, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const removeTouching = db.prepare(
    `DELETE FROM memory_block_edges WHERE ns = @ns AND ((source_kind = 'block' AND source_id = @id) OR (target_kind = 'block' AND target_id = @id))`,
  )

  const resolved = (ns: number, { kind, id }: End): End => ({
    kind,
    id: kind === 'block' ? aliases.resolve(ns, id) : id,
  })
  const names = (ns: number, { kind, id }: End): string[] => (kind === 'block' ? aliases.family(ns, id) : [id])

  /** All that was said of an edge, under any names of its ends. */
  const saidOf = (ns: number, source: End, target: End, type: string): Row[] => {
    const [from, to] = [names(ns, source), names(ns, target)]
    if (from.length * to.length <= FEW_PAIRS) {
      return from.flatMap(one => to.flatMap(other => ofEnds.all(ns, source.kind, one, target.kind, other, type)))
    }
    const targets = new Set(to)
    return from
      .flatMap(one => ofSource.all(ns, source.kind, one, target.kind, type))
      .filter(({ target_id }) => targets.has(target_id))
  }

  /** Writes an edge, and the rows of the names it had, from all that was said of it. */
  const refresh = (ns: number, saidSource: End, saidTarget: End, type: string): void => {
    const source = resolved(ns, saidSource)
    const target = resolved(ns, saidTarget)
    const said = saidOf(ns, source, target, type).sort((a, b) => a.clock - b.clock || (a.event < b.event ? -1 : 1))
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
      refresh(ns, { kind: sourceKind, id: sourceId }, { kind: targetKind, id: targetId }, type)
    },

    /** Brings the edges of some blocks to the names that these have now. */
    rename(ns: number, ids: readonly string[]): void {
      for (const id of ids) removeTouching.run({ ns, id })
      const done = new Set<string>()
      for (const id of ids) {
        for (const row of touching.all({ ns, id })) {
          const source = resolved(ns, { kind: row.source_kind, id: row.source_id })
          const target = resolved(ns, { kind: row.target_kind, id: row.target_id })
          const edge = JSON.stringify([source, target, row.type])
          if (done.has(edge)) continue
          done.add(edge)
          refresh(ns, source, target, row.type)
        }
      }
    },
  }
}
