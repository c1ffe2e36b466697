/** Vectors for tests, and what a search over them finds. */
import type { Database } from 'better-sqlite3'
import { blockId, type StoredEvent } from '../../../src/events/index.ts'
import { type NearestAnswer, nearest } from '../../../src/readmodels/vectors/index.ts'
import { commit, eventId, NS_A, vectorData } from '../../support/events.ts'

/** A commit that brings a vector of a space. */
export function said(n: number, text: string, values: readonly number[], space = 'f', over = {}): StoredEvent {
  return commit(n, text, { vector: { space, data: vectorData(...values) }, ...over })
}

/** A purge of texts. */
export function purged(n: number, texts: readonly string[], over = {}): StoredEvent {
  const common = { v: 1, id: eventId(n), clock: n, ns: NS_A, at: { time: 1_700_000_000_000 + n }, origin: 'tool' }
  return { type: 'hologram/purge', data: { ...common, ids: texts.map(blockId), reason: '', ...over } }
}

export function namespaceNumber(db: Database, id: string = NS_A.id): number {
  return Number(db.prepare('SELECT ns FROM namespaces WHERE id = ?').pluck().get(id))
}

/** What is near in one namespace. */
export function near(db: Database, values: readonly number[], k = 10, space = 'f', ns = NS_A.id): NearestAnswer {
  const vector = Float32Array.from(values)
  return nearest(db, { namespaces: [namespaceNumber(db, ns)], space, vector, k })
}

/** The texts of what is near, nearest first. */
export function nearTexts(db: Database, values: readonly number[], k = 10, space = 'f', ns = NS_A.id): string[] {
  const text = db.prepare<[number], string>('SELECT text_content FROM memory_blocks WHERE row = ?').pluck()
  return near(db, values, k, space, ns).hits.map(({ row }) => text.get(row) ?? '')
}

/** Numbers about normally distributed, the same each time. */
export function gaussian(seed: number): () => number {
  let state = seed >>> 0 || 1
  const uniform = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  return () => Array.from({ length: 6 }, uniform).reduce((sum, value) => sum + value - 0.5, 0)
}

export function randomVector(next: () => number, dimension: number): number[] {
  return Array.from({ length: dimension }, next)
}

/** The cosine, from its definition. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const product = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}
