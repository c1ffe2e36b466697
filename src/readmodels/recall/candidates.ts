import type { Database } from 'better-sqlite3'
import { Best } from './best.ts'
import { byteToLength } from './lengthByte.ts'
import type { RecallMemory } from './memory.ts'
import { SETTINGS } from './settings.ts'
import type { Space } from './space.ts'
import { statement } from './statements.ts'
import type { WeighedTerm } from './weigh.ts'

/** Rows the request may see; `undefined` when it may see all of the namespace. One byte a row. */
export type Allowed = Uint8Array | undefined

/** Above any lexical score: a pinned row is always a candidate before one that is not. */
const PIN = 1e6

/**
 * Stage 1: for each token the rows that hold it, `weight · idf · (k1 + 1)/(1 + k1·(1 − b + b·L/mean L))` summed (BM25 with
 * every count 1), and the best of them. Rows come in no particular order.
 */
export function findCandidates(
  db: Database,
  memory: RecallMemory,
  space: Space,
  terms: readonly WeighedTerm[],
  pins: ReadonlyMap<number, number>,
  allowed: Allowed,
  capacity: number,
): { rows: number[]; matched: number } {
  const { ranks } = memory
  const { scores, lengths, clocks } = ranks
  const touched: number[] = []
  const touch = (row: number, value: number): void => {
    const before = scores[row]
    if (before === undefined || (allowed !== undefined && allowed[row] !== 1)) return
    if (before === 0) touched.push(row)
    scores[row] = before + value
  }
  for (const term of terms) {
    const value = term.weight * term.idf
    for (let i = 0; i < term.rows.length; i++) touch(term.rows[i] ?? 0, value)
  }
  const norm = lengthNorms(space)
  // Pins come after the norm: a pinned row is raised as a whole.
  for (const row of pins.keys()) touch(row, Number.MIN_VALUE)
  const best = new Best(capacity)
  for (const row of touched) {
    const score = (scores[row] ?? 0) * (norm[lengths[row] ?? 0] ?? 1) + PIN * (pins.get(row) ?? 0)
    scores[row] = 0
    best.offer(row, score, clocks[row] ?? 0)
  }
  return { rows: settleTies(db, best), matched: touched.length }
}

function lengthNorms(space: Space): Float64Array {
  const mean = Math.max(1, space.length / Math.max(1, space.blocks))
  const { b, k1 } = SETTINGS
  return Float64Array.from(
    { length: 256 },
    (_, byte) => (k1 + 1) / (1 + k1 * (1 - b + (b * byteToLength(byte)) / mean)),
  )
}

/** Among rows equal to the worst kept one in score and clock, keeps those with the lowest event ids. */
function settleTies(db: Database, best: Best): number[] {
  const rows = Array.from(best.rows.subarray(0, best.size))
  if (best.ties.length === 0) return rows
  const [score, clock] = [best.scores[0], best.clocks[0]]
  const sure = rows.filter((_, i) => best.scores[i] !== score || best.clocks[i] !== clock)
  const equal = [...rows.filter((_, i) => best.scores[i] === score && best.clocks[i] === clock), ...best.ties]
  const ordered = statement(
    db,
    'SELECT row FROM memory_blocks WHERE row IN (SELECT value FROM json_each(?)) ORDER BY first_event, row LIMIT ?',
  )
    .pluck()
    .all(JSON.stringify(equal), rows.length - sure.length) as number[]
  return [...sure, ...ordered]
}
