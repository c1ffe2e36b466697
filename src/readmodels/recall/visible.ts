import type { Database } from 'better-sqlite3'
import type { Allowed } from './candidates.ts'
import type { RecallRequest } from './request.ts'
import { statement } from './statements.ts'

/** Not tied to the outer row: it is worked out once, not once a block. */
const SAID_IN = `b.id IN (
  SELECT s.block FROM block_sources s WHERE s.ns = ? AND s.dead = 0 AND s.session IN (SELECT value FROM json_each(?)))`

/**
 * The rows of a namespace that a filtered request may see, as one byte a row; `undefined` when it may see them all.
 *
 * @param size rows that can occur, plus one
 */
export function visibleRows(db: Database, ns: number, request: RecallRequest, size: number): Allowed {
  const { filters = {}, sessions, within } = request
  const conditions: string[] = []
  const values: unknown[] = []
  const require = (condition: string, ...args: unknown[]): void => {
    conditions.push(condition)
    values.push(...args)
  }
  if (filters.source !== undefined) require('b.source = ?', filters.source)
  if (filters.semanticType !== undefined) require('b.semantic_type = ?', filters.semanticType)
  if (filters.scene !== undefined) {
    // Not LIKE: `_` and `%` in a scene key are letters.
    require('(b.scene = ? OR substr(b.scene, 1, length(?)) = ?)', filters.scene, `${filters.scene}/`, `${filters.scene}/`)
  }
  if (filters.from !== undefined) require('coalesce(b.frame_ts, b.created_at) >= ?', filters.from)
  if (filters.to !== undefined) require('coalesce(b.frame_ts, b.created_at) <= ?', filters.to)
  if (sessions !== undefined) require(SAID_IN, ns, JSON.stringify(sessions))
  if (within !== undefined) require('b.id IN (SELECT value FROM json_each(?))', JSON.stringify(within))
  if (conditions.length === 0) return undefined
  const allowed = new Uint8Array(size)
  const rows = statement(
    db,
    `SELECT b.row FROM memory_blocks b WHERE b.ns = ? AND b.inactive = 0 AND ${conditions.join(' AND ')}`,
  )
    .pluck()
    .iterate(ns, ...values) as IterableIterator<number>
  for (const row of rows) if (row < size) allowed[row] = 1
  return allowed
}
