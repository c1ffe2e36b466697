import type { Database } from 'better-sqlite3'
import { reasonOf } from '../../events/index.ts'
import type { Ranked } from './rankSpace.ts'
import { byRank } from './rankSpace.ts'
import type { RecallHit, RecallRequest } from './request.ts'
import { ASSOCIATION } from './settings.ts'
import { type Settled, settle, throwDamage } from './settle.ts'
import { statement } from './statements.ts'
import { conditionsOf, type View } from './visible.ts'

/**
 * Breadth first over living edges, both ways, from the blocks given as `[{id, seed}]`. A step leads to a block the request
 * may see, or to an entity or sentence, from which it leads on. Edges of merged names stand under the names of now
 * (`status` tells), so merges are followed. The queue is in order of depth, seed and event, so what is cut off by the
 * limits does not depend on row numbers; who knows everybody (a degree above `fan`) says little and is not walked through.
 */
function walkSql(conditions: string): string {
  // Both joins are told what to do: left alone, SQLite reads all edges of the namespace for every place walked to.
  const step = (from: 'source' | 'target', to: 'source' | 'target', by: string): string => `
    SELECT e.${to}_kind, e.${to}_id, walk.depth + 1, walk.seed, e.type, walk.id,
      coalesce(b.row, 0), coalesce(b.first_clock, 0), coalesce(b.first_event, e.${to}_id)
    FROM walk
    CROSS JOIN memory_block_edges e ${by} ON e.ns = :ns AND e.${from}_kind = walk.kind AND e.${from}_id = walk.id AND e.status = 'active'
    LEFT JOIN memory_blocks b ON e.${to}_kind = 'block' AND b.ns = :ns AND b.id = e.${to}_id AND b.inactive = 0${conditions}
    WHERE walk.depth < :depth AND (e.${to}_kind <> 'block' OR b.row IS NOT NULL)
      AND (walk.depth = 0 OR (SELECT count(*) FROM (
        SELECT 1 FROM memory_block_edges d WHERE d.ns = :ns AND d.source_kind = walk.kind AND d.source_id = walk.id
        UNION ALL SELECT 1 FROM memory_block_edges d WHERE d.ns = :ns AND d.target_kind = walk.kind AND d.target_id = walk.id
        LIMIT :fan + 1)) <= :fan)`
  return `
WITH RECURSIVE walk (kind, id, depth, seed, type, via, row, clock, event) AS (
  SELECT 'block', value ->> 'id', 0, value ->> 'seed', '', '', 0, 0, '' FROM json_each(:seeds)
  UNION ${step('source', 'target', '')}
  UNION ${step('target', 'source', 'INDEXED BY memory_block_edges_target')}
  ORDER BY 3, 4, 8, 9, 2, 5, 6 LIMIT :steps
)
SELECT row, depth, seed, type, via, clock, event FROM walk WHERE row > 0`
}

type Step = [row: number, depth: number, seed: number, type: string, via: string, clock: number, event: string]

/** Blocks that edges connect with the hits, best first: `score/(1 + depth)` of the hit that gives most. */
function reach(db: Database, request: RecallRequest, hits: readonly RecallHit[]): Ranked[] {
  const best = new Map<number, Ranked>()
  const found = new Set(hits.map(hit => hit.row))
  const seeds = hits.slice(0, ASSOCIATION.seeds)
  for (const ns of new Set(seeds.map(hit => hit.ns))) {
    const own = seeds.flatMap(({ id, ns: of }, seed) => (of === ns ? [{ id, seed }] : []))
    const { sql, values } = conditionsOf(db, ns, request)
    const named = namedValues(values)
    const { depth, fan, steps } = ASSOCIATION
    const walked = statement(db, walkSql(named.number(sql)))
      .raw()
      .all({ ...named.values, ns, depth, fan, steps, seeds: JSON.stringify(own) }) as Step[]
    for (const [row, far, seed, type, via, clock, event] of walked) {
      const from = seeds[seed]
      if (from === undefined || found.has(row)) continue
      // A pin is a pin of the hit, not of what it is linked with.
      const score = Math.min(1, from.score) / (1 + far)
      const hops = far === 1 ? '' : `, ${far} steps from ${from.id}`
      const one = { row, ns, score, words: 0, pinned: 0, why: () => `linked to ${via} (${type}${hops})`, clock, event }
      const known = best.get(row)
      if (known === undefined || known.score < score) best.set(row, one)
    }
  }
  return [...best.values()].sort(byRank)
}

/** `?` of conditions as names, since a statement may not mix both; a condition stands in the walk twice. */
function namedValues(values: readonly unknown[]): { values: Record<string, unknown>; number(sql: string): string } {
  return {
    values: Object.fromEntries(values.map((value, i) => [`c${i}`, value])),
    number: sql => {
      let i = 0
      return sql.replaceAll('?', () => `:c${i++}`)
    },
  }
}

/** What to append to the hits of a page, at most `budget` blocks, settled as the hits were. */
export function associate(
  db: Database,
  request: RecallRequest,
  hits: readonly RecallHit[],
  budget: number,
  view: View,
  degraded: string[],
): Settled {
  if (budget === 0 || hits.length === 0) return { hits: [], superseded: [], inactive: 0 }
  const shown = new Set(hits.map(hit => hit.row))
  const floor = request.floor ?? 0
  let reached: Ranked[]
  try {
    reached = reach(db, request, hits).filter(one => one.score >= floor)
  } catch (error) {
    throwDamage(error)
    // What was found directly is worth having without what it is linked with.
    degraded.push(`association_failed: ${reasonOf(error)}`)
    return { hits: [], superseded: [], inactive: 0 }
  }
  const settled = settle(db, request, reached.slice(0, budget + ASSOCIATION.margin), view, degraded)
  return { ...settled, hits: settled.hits.filter(hit => !shown.has(hit.row)).slice(0, budget) }
}
