import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { Order } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import { readFloats, writeFloats } from './floats.ts'
import { lease } from './lease.ts'
import { addUnit, currentCount, currentMean, type Mean, meanOf } from './mean.ts'
import { isRecoding, recodeSteps, setCodeCentre } from './recode.ts'
import { CENTRING, CENTROID_DUE } from './settings.ts'
import { shelvesOfSpace } from './shelves.ts'
import { findSpace } from './spaces.ts'

/** What is known of the vectors of a space beside their mean. */
export interface CentroidStats {
  /** Vectors that the mean is of. */
  readonly count: number
  /** Norm of the mean of the normalised vectors, 0 to 1. */
  readonly norm: number
  /** Mean length of the vectors before they were normalised. */
  readonly meanLength: number
  /** Average cosine of all pairs, `(n·norm² − 1) / (n − 1)`; null below two vectors. */
  readonly pairCosine: number | null
  /** Vectors of the space left out: of another dimension, not finite, or zero. */
  readonly skipped: number
}

/**
 * The mean of the normalised vectors of one space, as it was built last: of the first `checkpoint(n)` of its n vectors in
 * event order, so that it follows from the vectors and not from when it was built. What is built is the point that codes are
 * measured from, and what `status` shows; answers are compared by `appliedCentre`, which is of all vectors at any time.
 */
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

/** The mean of the vectors of a space now, where they are of this dimension. */
export function spaceMean(db: Database, fingerprint: string, dimension: number): Mean | undefined {
  const known = findSpace(db, fingerprint)
  if (known === undefined || spaceDimension(db, fingerprint) !== dimension) return undefined
  return currentMean(db, known.space, dimension)
}

/** What is subtracted from both sides when vectors of a space with this mean are compared; undefined when nothing is. */
export function appliedCentre(mean: Mean | undefined): Float64Array | undefined {
  return mean !== undefined && isCentred(mean) ? mean.vector : undefined
}

/** The space's dimension: as declared, or else that of most of its vectors. Null when there are none. */
export function spaceDimension(db: Database, fingerprint: string): number | null {
  const known = findSpace(db, fingerprint)
  if (known === undefined || known.dimension !== null) return known?.dimension ?? null
  const most = statement(
    db,
    'SELECT dim FROM vector_sums WHERE space = ? AND count > 0 ORDER BY count DESC, dim LIMIT 1',
  )
    .pluck()
    .get(known.space)
  return most === undefined ? null : Number(most)
}

/** Of how many vectors the centroid of n vectors is: of all n while they are few, then of the last step by a fifth. */
export function checkpoint(n: number): number {
  const { share, everyBelow } = CENTROID_DUE
  if (n <= everyBelow) return n
  let step: number = everyBelow
  for (let next = step; next <= n; next = Math.floor(step * (1 + share))) step = next
  return step
}

/** Whether the vectors of a space have changed by so much that its centroid should be built, or its codes made anew. */
export function isCentroidDue(db: Database, fingerprint: string): boolean {
  const known = findSpace(db, fingerprint)
  const dimension = spaceDimension(db, fingerprint) ?? 0
  const count = known === undefined ? 0 : currentCount(db, known.space, dimension)
  const built = statement(
    db,
    `SELECT c.dim, c.vector_count AS count, s.stale FROM graph_centroid c
     LEFT JOIN vector_spaces s USING (fingerprint) WHERE fingerprint = ?`,
  ).get(fingerprint) as { dim: number; count: number; stale: number | null } | undefined
  if (known !== undefined && isRecoding(db, known.space)) return true
  if (built === undefined || count === 0) return (built === undefined) !== (count === 0)
  return built.stale !== 0 || built.dim !== dimension || built.count !== checkpoint(count)
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
/** How long a builder that says nothing more keeps others from building, in milliseconds. */
const LEASE_MS = 60_000

const PAGE = `SELECT clock, event AS id, shelf, data FROM vectors
  WHERE space = ? AND (clock, event) > (?, ?) ORDER BY clock, event LIMIT ${STEP}`

/**
 * Builds the centroid of a space, and makes codes anew where its point has moved: yields every few hundred vectors, so that
 * its caller can do other things in between, and holds no lock meanwhile. It can be left at any time; what was not
 * finished is due again. Does nothing while another process builds it.
 */
export function* centroidSteps(db: Database, fingerprint: string): Generator<number, Centroid | undefined> {
  const work = { name: `centroid ${fingerprint}`, holder: holderOf(db) }
  if (!lease(db, { ...work, ms: LEASE_MS })) return readCentroid(db, fingerprint)
  try {
    const known = findSpace(db, fingerprint)
    if (known === undefined) {
      statement(db, 'DELETE FROM graph_centroid WHERE fingerprint = ?').run(fingerprint)
      return undefined
    }
    const { space } = known
    const dimension = spaceDimension(db, fingerprint) ?? 0
    const shelves = new Set(
      shelvesOfSpace(db, space).flatMap(({ shelf, dim, fault }) => (fault === '' && dim === dimension ? [shelf] : [])),
    )
    const wanted = checkpoint(currentCount(db, space, dimension))
    const sum = new Float64Array(dimension)
    let count = 0
    let lengths = 0
    let upto: Order = { clock: -1, id: '' }
    // Up to where it was read, whatever comes or goes makes it stale; what comes behind that will be read.
    const read = db.transaction((): boolean => {
      if (upto.clock < 0) reach(db, space, upto)
      const page = statement(db, PAGE).all(space, upto.clock, upto.id) as (Order & { shelf: number; data: Buffer })[]
      for (const { clock, id, shelf, data } of page) {
        if (count === wanted) break
        upto = { clock, id }
        if (!shelves.has(shelf)) continue
        lengths += addUnit(sum, readFloats(data), 1)
        count += 1
      }
      reach(db, space, upto)
      return page.length === STEP && count < wanted
    })
    while (db.inTransaction ? read() : read.immediate()) {
      yield count
      lease(db, { ...work, ms: LEASE_MS })
    }
    write(db, fingerprint, space, meanOf(sum, count), lengths)
    for (const _ of recodeSteps(db, space)) {
      yield count
      lease(db, { ...work, ms: LEASE_MS })
    }
  } finally {
    lease(db, { ...work, ms: 0 })
  }
  return readCentroid(db, fingerprint)
}

/** Builds the centroid of a space in one go; removes it when the space has no vectors. */
export function buildCentroid(db: Database, fingerprint: string): Centroid | undefined {
  const steps = centroidSteps(db, fingerprint)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Notes up to where the centroid of a space was read; a first step begins anew, and nothing is stale. */
function reach(db: Database, space: number, { clock, id }: Order): void {
  statement(
    db,
    'UPDATE vector_spaces SET upto_clock = ?, upto_event = ?, stale = stale * (? >= 0) WHERE space = ?',
  ).run(clock, id, clock, space)
}

/** To be called when a vector of a space comes or goes: a centroid that it is part of, or would be, is stale then. */
export function touchCentroid(db: Database, space: number, { clock, id }: Order): void {
  statement(
    db,
    'UPDATE vector_spaces SET stale = 1 WHERE space = ? AND stale = 0 AND (upto_clock, upto_event) >= (?, ?)',
  ).run(space, clock, id)
}

function write(db: Database, fingerprint: string, space: number, { count, norm, vector }: Mean, lengths: number): void {
  const run = db.transaction(() => {
    if (count === 0) {
      statement(db, 'DELETE FROM graph_centroid WHERE fingerprint = ?').run(fingerprint)
      setCodeCentre(db, space, undefined)
      return
    }
    const here = shelvesOfSpace(db, space).reduce((all, { live }) => all + live, 0)
    const stats: CentroidStats = {
      count,
      norm,
      meanLength: lengths / count,
      pairCosine: count < 2 ? null : (count * norm * norm - 1) / (count - 1),
      skipped: here - currentCount(db, space, vector.length),
    }
    const mean = Float32Array.from(vector)
    statement(
      db,
      `INSERT OR REPLACE INTO graph_centroid (fingerprint, dim, vector_count, vector, stats, built_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(fingerprint, mean.length, count, writeFloats(mean), JSON.stringify(stats), Date.now())
    setCodeCentre(db, space, isCentred(stats) ? mean : undefined)
  })
  if (db.inTransaction) run()
  else run.immediate()
}

const holders = new WeakMap<Database, string>()

/** Who builds: one connection is one builder. */
function holderOf(db: Database): string {
  const holder = holders.get(db) ?? randomUUID()
  holders.set(db, holder)
  return holder
}
