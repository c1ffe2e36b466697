import type { Database } from 'better-sqlite3'
import { shownForDropped } from '../projector/shown.ts'
import type { Allowed } from './candidates.ts'
import type { RecallRequest } from './request.ts'
import { askedScene, spellingsOf } from './scenes.ts'
import { statement } from './statements.ts'

/** Whether the request may see a row of a namespace. */
export type Sees = (row: number, ns: number) => boolean

/** What a request may see, and what it may know of beside: what only its filters leave out. */
export interface View {
  readonly sees: Sees
  readonly knows: Sees
}

/** Not tied to the outer row: it is worked out once, not once a block. */
const SAID_IN =
  'SELECT s.block FROM block_sources s WHERE s.ns = ? AND s.dead = 0 AND s.session IN (SELECT value FROM json_each(?))'

/** What a row `b` of `memory_blocks` must be for the request to see it, beside being shown and of the namespace. */
export interface Conditions {
  /** ` AND …` for each; empty when the request may see all of the namespace. */
  readonly sql: string
  readonly values: readonly unknown[]
}

/** The same request without filters: whose memory it may see, not what of it it looks for. */
export function unfiltered({ filters: _, ...request }: RecallRequest): RecallRequest {
  return request
}

export function conditionsOf(db: Database, ns: number, request: RecallRequest): Conditions {
  const { filters = {}, sessions, within } = request
  const parts: string[] = []
  const values: unknown[] = []
  const require = (condition: string, ...args: unknown[]): void => {
    parts.push(` AND ${condition}`)
    values.push(...args)
  }
  if (filters.source !== undefined) require('b.source = ?', filters.source)
  if (filters.semanticType !== undefined) require('b.semantic_type = ?', filters.semanticType)
  const scene = askedScene(filters.scene)
  if (scene !== undefined)
    require('b.scene IN (SELECT value FROM json_each(?))', JSON.stringify(spellingsOf(db, ns, scene)))
  if (filters.from !== undefined) require('coalesce(b.frame_ts, b.created_at) >= ?', filters.from)
  if (filters.to !== undefined) require('coalesce(b.frame_ts, b.created_at) <= ?', filters.to)
  /** What was said there, and what stands for that by a merge. */
  const requireSaidIn = (where: readonly string[]): void => {
    const said = { sql: SAID_IN, values: [ns, JSON.stringify(where)] }
    const others = shownForDropped(db, ns, said)
    if (others.length === 0) require(`b.id IN (${SAID_IN})`, ...said.values)
    else require(`b.id IN (${SAID_IN} UNION SELECT value FROM json_each(?))`, ...said.values, JSON.stringify(others))
  }
  if (filters.session !== undefined) requireSaidIn([filters.session])
  if (sessions !== undefined) requireSaidIn(sessions)
  if (within !== undefined) require('b.id IN (SELECT value FROM json_each(?))', JSON.stringify(within))
  return { sql: parts.join(''), values }
}

/**
 * The rows of a namespace that a filtered request may see, as one byte a row; `undefined` when it may see them all.
 *
 * @param size rows that can occur, plus one
 */
export function visibleRows(db: Database, ns: number, request: RecallRequest, size: number): Allowed {
  const { sql, values } = conditionsOf(db, ns, request)
  if (sql === '') return undefined
  const allowed = new Uint8Array(size)
  const rows = statement(db, `SELECT b.row FROM memory_blocks b WHERE b.ns = ? AND b.inactive = 0${sql}`)
    .pluck()
    .iterate(ns, ...values) as IterableIterator<number>
  for (const row of rows) if (row < size) allowed[row] = 1
  return allowed
}
