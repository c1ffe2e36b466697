import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { dot, readFloats, writeFloats } from './floats.ts'
import { moveCentre } from './moveCentre.ts'
import { CENTRING, CENTROID_DUE } from './settings.ts'
import { type Shelf, shelvesOfSpace } from './shelves.ts'
import { findSpace } from './spaces.ts'

/** What is known of the vectors of a space beside their mean. */
export interface CentroidStats {
  /** Vectors that the mean is of. */
  readonly count: number
  /** Norm of the mean of the normalised vectors, 0 to 1. */
  readonly norm: number
  /** Mean length of the vectors before they were normalised. */
  readonly meanLength: number
  /** Average cosine of all pairs, `(|Σv̂|² − n) / (n·(n − 1))`; null below two vectors. */
  readonly pairCosine: number | null
  /** Vectors of the space left out: of another dimension, not finite, or zero. */
  readonly skipped: number
}

/** The mean of the normalised vectors of one space. */
export interface Centroid {
  readonly fingerprint: string
  readonly dimension: number
  readonly count: number
  readonly vector: Float32Array
  readonly stats: CentroidStats
  /** Unix milliseconds. */
  readonly builtAt: number
}

interface Row {
  readonly dim: number
  readonly vector_count: number
  readonly vector: Buffer
  readonly stats: string
  readonly built_at: number
}

/** The centroid of a space as it was built last; undefined when none was. */
export function readCentroid(db: Database, fingerprint: string): Centroid | undefined {
  const row = statement(
    db,
    'SELECT dim, vector_count, vector, stats, built_at FROM graph_centroid WHERE fingerprint = ?',
  ).get(fingerprint) as Row | undefined
  if (row === undefined) return undefined
  return {
    fingerprint,
    dimension: row.dim,
    count: row.vector_count,
    vector: readFloats(row.vector),
    stats: JSON.parse(row.stats) as CentroidStats,
    builtAt: row.built_at,
  }
}

/** Whether vectors of a space are compared by what is left of them when the centroid is subtracted. */
export function isCentred(
  { count, norm }: Pick<CentroidStats, 'count' | 'norm'>,
  rule: { readonly norm: number; readonly vectors: number } = CENTRING,
): boolean {
  return count >= rule.vectors && norm >= rule.norm
}

/** What is subtracted from both sides when vectors of a space are compared; undefined when nothing is. */
export function appliedCentre(db: Database, fingerprint: string, dimension: number): Float32Array | undefined {
  const centroid = readCentroid(db, fingerprint)
  return centroid?.dimension === dimension && isCentred(centroid.stats) ? centroid.vector : undefined
}

/** The space's dimension: as declared, or else that of most of its vectors. Null when there are none. */
export function spaceDimension(db: Database, fingerprint: string): number | null {
  const known = findSpace(db, fingerprint)
  if (known === undefined || known.dimension !== null) return known?.dimension ?? null
  const counts = new Map<number, number>()
  for (const { dim, fault, live } of shelvesOfSpace(db, known.space)) {
    if (fault === '' && live > 0) counts.set(dim, (counts.get(dim) ?? 0) + live)
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || a - b)
  return most?.[0] ?? null
}

/** The shelves that a centroid is of, and how many vectors of the space are on none of them. */
function ofSpace(db: Database, fingerprint: string): { dimension: number; shelves: Shelf[]; skipped: number } {
  const known = findSpace(db, fingerprint)
  const dimension = spaceDimension(db, fingerprint) ?? 0
  const all = known === undefined ? [] : shelvesOfSpace(db, known.space)
  const shelves = all.filter(({ dim, fault }) => fault === '' && dim === dimension)
  return { dimension, shelves, skipped: countOf(all) - countOf(shelves) }
}

function countOf(shelves: readonly Shelf[]): number {
  return shelves.reduce((sum, { live }) => sum + live, 0)
}

/** Whether the vectors of a space have changed in number by so much that its centroid should be built. */
export function isCentroidDue(db: Database, fingerprint: string): boolean {
  const before = readCentroid(db, fingerprint)?.count ?? 0
  const now = countOf(ofSpace(db, fingerprint).shelves)
  return now !== before && Math.abs(now - before) > CENTROID_DUE * before
}

/** Fingerprints of the spaces whose centroid is due. */
export function dueCentroids(db: Database): string[] {
  const all = statement(
    db,
    'SELECT fingerprint FROM vector_spaces UNION SELECT fingerprint FROM graph_centroid ORDER BY fingerprint',
  )
    .pluck()
    .all() as string[]
  return all.filter(fingerprint => isCentroidDue(db, fingerprint))
}

/** Vectors read between two breaths. */
const STEP = 1_000

/**
 * Builds the centroid of a space: yields every thousand vectors, so that its caller can do other things in between, and
 * writes it in one transaction at the end, together with codes measured from it. Vectors that come or go meanwhile may
 * or may not be in it; their number is what the next one is due by.
 */
export function* centroidSteps(db: Database, fingerprint: string): Generator<number, Centroid | undefined> {
  const { dimension, shelves, skipped } = ofSpace(db, fingerprint)
  const sum = new Float64Array(dimension)
  let count = 0
  let lengths = 0
  for (const { shelf } of shelves) {
    for (let after = 0; ; ) {
      const page = statement(
        db,
        `SELECT c.serial, v.data FROM vector_codes c JOIN vectors v USING (vector)
         WHERE c.shelf = ? AND c.serial > ? AND c.code IS NOT NULL ORDER BY c.serial LIMIT ${STEP}`,
      ).all(shelf, after) as { serial: number; data: Buffer }[]
      for (const { serial, data } of page) {
        after = serial
        const vector = readFloats(data)
        const length = Math.sqrt(dot(vector, vector))
        for (let at = 0; at < dimension; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0) / length
        lengths += length
        count += 1
      }
      if (page.length < STEP) break
      yield count
    }
  }
  return write(db, fingerprint, sum, { count, lengths, skipped })
}

/** Builds the centroid of a space in one go; removes it when the space has no vectors. */
export function buildCentroid(db: Database, fingerprint: string): Centroid | undefined {
  const steps = centroidSteps(db, fingerprint)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

function write(
  db: Database,
  fingerprint: string,
  sum: Float64Array,
  { count, lengths, skipped }: { readonly count: number; readonly lengths: number; readonly skipped: number },
): Centroid | undefined {
  const run = db.transaction(() => {
    const known = findSpace(db, fingerprint)
    if (count === 0) {
      statement(db, 'DELETE FROM graph_centroid WHERE fingerprint = ?').run(fingerprint)
      if (known !== undefined) moveCentre(db, known.space, undefined)
      return
    }
    const square = dot(sum, sum)
    const stats: CentroidStats = {
      count,
      norm: Math.sqrt(square) / count,
      meanLength: lengths / count,
      pairCosine: count < 2 ? null : (square - count) / (count * (count - 1)),
      skipped,
    }
    const vector = Float32Array.from(sum, value => value / count)
    statement(
      db,
      `INSERT OR REPLACE INTO graph_centroid (fingerprint, dim, vector_count, vector, stats, built_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(fingerprint, vector.length, count, writeFloats(vector), JSON.stringify(stats), Date.now())
    if (known !== undefined) moveCentre(db, known.space, isCentred(stats) ? vector : undefined)
  })
  if (db.inTransaction) run()
  else run.immediate()
  return readCentroid(db, fingerprint)
}
