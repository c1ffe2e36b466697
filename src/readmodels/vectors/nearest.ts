import type { Database } from 'better-sqlite3'
import { compareOrder, type Order } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import { appliedCentre, spaceMean } from './centroid.ts'
import { type Allowed, choose } from './choose.ts'
import { centred, type Fault, faultOfFloats } from './floats.ts'
import { relevanceOf } from './relevance.ts'
import { shelvesOf, type TargetKind } from './shelves.ts'
import { comparison } from './similarity.ts'
import { countSkipped, type Skipped, type SkipReason } from './skipped.ts'
import { findSpace } from './spaces.ts'

export interface NearestRequest {
  /** Numbers of the namespaces that may be seen. */
  readonly namespaces: readonly number[]
  /** Fingerprint of the space that the question was embedded in. */
  readonly space: string
  readonly vector: Float32Array
  readonly k: number
  /** What is looked for; blocks unless said otherwise. */
  readonly kind?: TargetKind
  /** Whether the request may see a row of a namespace; without it, all. */
  readonly allowed?: Allowed
}

export interface NearestHit {
  readonly ns: number
  /** Block or document id. */
  readonly id: string
  /** `memory_blocks.row` of a block; of a document the number of its vector. */
  readonly row: number
  /** −1 to 1; of what is left when the space's centroid is subtracted, where that applies. */
  readonly cosine: number
  /** How much it has to do with the question, 0 to 1, in any space; see `relevance.ts`. */
  readonly relevance: number
}

export interface NearestAnswer {
  /** Nearest first; equally near ones in event order. */
  readonly hits: readonly NearestHit[]
  /** What the namespaces hold and was not compared, by reason; reasons that did not occur are left out. */
  readonly skipped: Skipped
  /** Why the question itself cannot be compared with anything. There are no hits then. */
  readonly unusable?: 'unknownSpace' | Fault
  /** Vectors that can be compared with the question at all, in these namespaces. */
  readonly comparable: number
  /** Vectors of which the exact cosine was worked out. */
  readonly compared: number
}

/** The nearest vectors of one space. Vectors of other spaces are never compared, and nothing is coerced. */
export function nearest(db: Database, request: NearestRequest): NearestAnswer {
  // One snapshot: codes and vectors of different moments must not meet.
  return db.transaction(() => answer(db, request))()
}

function answer(db: Database, request: NearestRequest): NearestAnswer {
  const { vector, kind = 'block' } = request
  const namespaces = [...new Set(request.namespaces)]
  const known = request.space === '' ? undefined : findSpace(db, request.space)
  const shelves = known && namespaces.flatMap(ns => shelvesOf(db, ns, kind, known.space))
  const skipped: Partial<Record<SkipReason, number>> = {}
  const add = (reason: SkipReason, count: number): void => {
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  for (const ns of namespaces) {
    const here = shelves?.filter(shelf => shelf.ns === ns)
    countSkipped(db, ns, kind, here, vector.length, add)
  }
  if (known === undefined || shelves === undefined)
    return { hits: [], skipped, unusable: 'unknownSpace', comparable: 0, compared: 0 }
  const fault = known.dimension !== null && known.dimension !== vector.length ? 'wrongDimension' : faultOfFloats(vector)
  if (fault !== undefined) return { hits: [], skipped, unusable: fault, comparable: 0, compared: 0 }

  const comparable = shelves.filter(({ dim, fault, live }) => dim === vector.length && fault === '' && live > 0)
  const k = Math.max(0, Math.floor(request.k))
  const count = comparable.reduce((sum, { live }) => sum + live, 0)
  if (k === 0) return { hits: [], skipped, comparable: count, compared: 0 }
  const mean = spaceMean(db, request.space, vector.length)
  const centre = appliedCentre(mean)
  const candidates = choose(db, comparable, centred(vector, centre), k, request.allowed)
  const relevance = relevanceOf(vector, mean)
  const hits = rank(db, candidates, comparison(vector, centre), k).map(
    ({ ns, id, row, cosine }): NearestHit => ({ ns, id, row, cosine, relevance: relevance(cosine) }),
  )
  return { hits, skipped, comparable: count, compared: candidates.length }
}

const READ = 'SELECT ns, target, row, data FROM vectors WHERE vector = ?'
const ORDER = `SELECT coalesce(b.first_clock, v.clock) AS clock, coalesce(b.first_event, v.event) AS id
  FROM vectors v LEFT JOIN memory_blocks b ON v.kind = 'block' AND b.row = v.row WHERE v.vector = ?`

interface Compared extends Omit<NearestHit, 'relevance'> {
  readonly vector: number
}

function rank(db: Database, vectors: readonly number[], compare: (data: Uint8Array) => number, k: number): Compared[] {
  const read = statement(db, READ).raw()
  const compared = vectors.map((vector): Compared => {
    const [ns, id, row, data] = read.get(vector) as [ns: number, id: string, row: number, data: Buffer]
    return { ns, id, row, cosine: compare(data), vector }
  })
  compared.sort((a, b) => b.cosine - a.cosine)
  const least = compared[Math.min(k, compared.length) - 1]?.cosine ?? 0
  return settleTies(
    db,
    compared.filter(({ cosine }) => cosine >= least),
  ).slice(0, k)
}

/** Puts equally near ones in event order. Their places are read only where there are any. */
function settleTies(db: Database, sorted: Compared[]): Compared[] {
  if (!sorted.some(({ cosine }, at) => cosine === sorted[at + 1]?.cosine)) return sorted
  const read = statement(db, ORDER)
  return sorted
    .map(one => ({ ...one, order: read.get(one.vector) as Order }))
    .sort((a, b) => b.cosine - a.cosine || compareOrder(a.order, b.order) || a.ns - b.ns)
}
