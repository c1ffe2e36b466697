import type { Database } from 'better-sqlite3'
import type { RecallMemory } from './memory.ts'
import type { VectorHit } from './request.ts'
import { statement } from './statements.ts'

/** A vector hit with its place in event order. */
export interface Near extends VectorHit {
  readonly clock: number
  readonly event: string
}

/** Vector hits of indexed rows, nearest first, equal ones in event order; each row once. */
export function rankNear(db: Database, memory: RecallMemory, hits: readonly VectorHit[]): Near[] {
  const finite = hits.filter(hit => Number.isFinite(hit.similarity))
  const found = statement(db, 'SELECT t.row, t.ns, t.event FROM json_each(?) j JOIN recall_terms t ON t.row = j.value')
    .raw()
    .all(JSON.stringify(finite.map(hit => hit.row))) as [row: number, ns: number, event: string][]
  const stored = new Map(found.map(([row, ns, event]) => [row, { ns, event }]))
  const near = new Map<number, Near>()
  for (const hit of finite) {
    const known = stored.get(hit.row)
    if (known?.ns !== hit.ns || near.has(hit.row)) continue
    near.set(hit.row, { ...hit, clock: memory.ranks.clocks[hit.row] ?? 0, event: known.event })
  }
  return [...near.values()].sort(
    (a, b) => b.similarity - a.similarity || a.clock - b.clock || (a.event < b.event ? -1 : a.event > b.event ? 1 : 0),
  )
}
