import type { Database } from 'better-sqlite3'
import { Best } from './best.ts'
import { byteToLength } from './lengthByte.ts'
import type { RecallMemory } from './memory.ts'
import { SETTINGS } from './settings.ts'
import type { Space } from './space.ts'
import { statement } from './statements.ts'
import type { WeighedQuery } from './weigh.ts'

/** Rows the request may see; `undefined` when it may see all of the namespace. One byte a row. */
export type Allowed = Uint8Array | undefined

/** Above any lexical score: a pinned row is always a candidate before one that is not. */
const PIN = 1e6

/**
 * Stage 1: for each token the rows that hold it, `weight · idf · (k1 + 1)/(1 + k1·(1 − b + b·L/mean L))` summed (BM25 with
 * every count 1), and the best of them. Rows come in no particular order.
 *
 * Terms are taken heaviest first. Once `capacity` rows score more than all terms left could give a new row, the lists left
 * only add to rows already met: common words are long lists that can no longer bring in anybody (MaxScore; nothing is lost).
 * Where all of them bring fewer than `capacity` rows, single characters bring more.
 */
export function findCandidates(
  db: Database,
  memory: RecallMemory,
  space: Space,
  { selecting, spare }: Pick<WeighedQuery, 'selecting' | 'spare'>,
  pins: ReadonlyMap<number, number>,
  allowed: Allowed,
  capacity: number,
): number[] {
  const { scores, lengths, clocks } = memory.ranks
  const norms = lengthNorms(space)
  const ordered = [...selecting].sort((a, b) => b.weight * b.idf - a.weight * a.idf)
  const touched = memory.ranks.touched
  let met = 0
  let left = ordered.reduce((sum, term) => sum + term.weight * term.idf, 0)
  let closed = false
  for (const { rows, weight, idf } of ordered) {
    const value = weight * idf
    // Worth finding out when the list is longer than what was met so far.
    if (!closed && met >= capacity && rows.length > met) {
      closed = leastOfBest(touched, met, memory, norms, capacity) > left * (norms[0] ?? 0)
    }
    met = closed ? addToMet(scores, rows, value, met) : addRows(scores, rows, value, touched, met, allowed)
    left -= value
  }
  // Rarest first, as far as there is room: every row that they bring is scored.
  for (const { token, count, weight, idf } of [...spare].sort((a, b) => a.count - b.count)) {
    if (met >= capacity || count > SETTINGS.spareRows) break
    met = addRows(scores, memory.postings.rows(db, space, token), weight * idf, touched, met, allowed)
  }
  for (const row of pins.keys()) {
    if (scores[row] !== 0) continue
    scores[row] = Number.MIN_VALUE
    touched[met++] = row
  }
  const best = new Best(capacity)
  for (let i = 0; i < met; i++) {
    const row = touched[i] ?? 0
    let score = (scores[row] ?? 0) * (norms[lengths[row] ?? 0] ?? 1)
    scores[row] = 0
    // Pins come after the norm: a pinned row is raised as a whole.
    if (pins.size > 0) score += PIN * (pins.get(row) ?? 0)
    if (score >= best.least) best.offer(row, score, clocks[row] ?? 0)
  }
  return settleTies(db, best)
}

function addRows(
  scores: Float64Array,
  rows: Int32Array,
  value: number,
  touched: Int32Array,
  met: number,
  allowed: Allowed,
): number {
  let count = met
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    if (allowed !== undefined && allowed[row] !== 1) continue
    const before = scores[row] ?? 0
    if (before === 0) touched[count++] = row
    scores[row] = before + value
  }
  return count
}

function addToMet(scores: Float64Array, rows: Int32Array, value: number, met: number): number {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    const before = scores[row] ?? 0
    if (before !== 0) scores[row] = before + value
  }
  return met
}

/** The score of the worst of the best `capacity` rows met so far. */
function leastOfBest(
  touched: Int32Array,
  met: number,
  memory: RecallMemory,
  norms: Float64Array,
  capacity: number,
): number {
  const { scores, lengths } = memory.ranks
  const best = new Best(capacity)
  for (let i = 0; i < met; i++) {
    const row = touched[i] ?? 0
    const score = (scores[row] ?? 0) * (norms[lengths[row] ?? 0] ?? 1)
    if (score > best.least) best.offer(row, score, 0)
  }
  return best.least
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
    'SELECT row FROM recall_terms WHERE row IN (SELECT value FROM json_each(?)) ORDER BY event, row LIMIT ?',
  )
    .pluck()
    .all(JSON.stringify(equal), rows.length - sure.length) as number[]
  return [...sure, ...ordered]
}
