import type { Database } from 'better-sqlite3'
import type { Ranked } from './rankSpace.ts'
import type { RecallRequest } from './request.ts'
import { statement } from './statements.ts'
import { conditionsOf } from './visible.ts'

type Row = [row: number, ns: number, weight: number, clock: number, event: string]

/**
 * What is remembered of a scene, for a request that asks nothing else: what was said most often comes first, of equals the
 * newest. Every block is as much of the scene as any other, so all score 1.
 *
 * @param depth how many are wanted at most
 */
export function rankScene(db: Database, request: RecallRequest, scene: string, depth: number): Ranked[] {
  const rows = [...new Set(request.namespaces)].flatMap(ns => {
    const { sql, values } = conditionsOf(db, ns, request)
    return statement(
      db,
      `SELECT b.row, b.ns,
         (SELECT count(*) FROM block_sources s WHERE s.ns = b.ns AND s.block = b.id AND s.dead = 0) AS weight,
         b.last_clock, b.last_event
       FROM memory_blocks b WHERE b.ns = ? AND b.inactive = 0${sql}
       ORDER BY weight DESC, b.last_clock DESC, b.last_event DESC LIMIT ?`,
    )
      .raw()
      .all(ns, ...values, depth) as Row[]
  })
  return rows
    .sort((a, b) => b[2] - a[2] || b[3] - a[3] || (a[4] > b[4] ? -1 : a[4] < b[4] ? 1 : 0) || a[1] - b[1])
    .slice(0, depth)
    .map(([row, ns, weight, clock, event]): Ranked => {
      const why = (): string => `of scene ${scene}${weight > 1 ? `; said ${weight} times` : ''}`
      return { row, ns, score: 1, words: 0, pinned: 0, why, clock, event }
    })
}
