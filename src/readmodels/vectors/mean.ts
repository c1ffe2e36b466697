import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { dot, NATIVE } from './floats.ts'

/**
 * Coordinates of a vector at length 1 are rounded to whole multiples of 2⁻²⁶, which is as fine as float32. Sums of whole
 * numbers are exact up to 2⁵³, so a sum over up to 2²⁷ vectors does not depend on the order they came in, and what is
 * taken out of it leaves no trace.
 */
const STEPS = 2 ** 26

/** The mean of vectors at length 1. */
export interface Mean {
  readonly count: number
  readonly vector: Float64Array
  /** Its length, 0 to 1. */
  readonly norm: number
}

/** Adds a vector at length 1 to a sum, or with `times` −1 takes it out. Returns its length before. */
export function addUnit(sum: Float64Array, values: ArrayLike<number>, times: 1 | -1): number {
  const length = Math.sqrt(dot(values, values))
  for (let at = 0; at < sum.length; at++) {
    sum[at] = (sum[at] ?? 0) + times * Math.round(((values[at] ?? 0) / length) * STEPS)
  }
  return length
}

/** The mean that a sum of so many vectors comes to. */
export function meanOf(sum: Float64Array, count: number): Mean {
  const vector = sum.map(value => value / STEPS / count)
  return { count, vector, norm: Math.sqrt(dot(sum, sum)) / STEPS / count }
}

const READ = 'SELECT count, sum FROM vector_sums WHERE space = ? AND dim = ?'
const WRITE = 'INSERT OR REPLACE INTO vector_sums (space, dim, count, sum) VALUES (?, ?, ?, ?)'

/**
 * Keeps the sum of the vectors of a space that can be found: to be called with every one that comes (1) or goes (−1). The
 * sum is a function of the set of those vectors, whatever came before.
 */
export function account(db: Database, space: number, values: Float32Array, times: 1 | -1): void {
  const row = statement(db, READ).get(space, values.length) as { count: number; sum: Buffer } | undefined
  const sum = row === undefined ? new Float64Array(values.length) : readDoubles(row.sum)
  addUnit(sum, values, times)
  statement(db, WRITE).run(space, values.length, (row?.count ?? 0) + times, writeDoubles(sum))
}

/** The mean of the vectors of a space that can be found now, of one dimension; undefined when there are none. */
export function currentMean(db: Database, space: number, dimension: number): Mean | undefined {
  const row = statement(db, READ).get(space, dimension) as { count: number; sum: Buffer } | undefined
  return row === undefined || row.count < 1 ? undefined : meanOf(readDoubles(row.sum), row.count)
}

/** How many vectors of a space, of one dimension, can be found now. */
export function currentCount(db: Database, space: number, dimension: number): number {
  return Number(
    statement(db, 'SELECT count FROM vector_sums WHERE space = ? AND dim = ?').pluck().get(space, dimension) ?? 0,
  )
}

/** Little-endian, on every machine. */
function readDoubles(bytes: Uint8Array): Float64Array {
  const copy = Uint8Array.from(bytes)
  if (!NATIVE) Buffer.from(copy.buffer).swap64()
  return new Float64Array(copy.buffer)
}

function writeDoubles(values: Float64Array): Buffer {
  const bytes = Buffer.from(values.slice().buffer)
  return NATIVE ? bytes : bytes.swap64()
}
