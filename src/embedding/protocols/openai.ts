import { type FailureCode, failure } from '../failure.ts'
import type { EmbeddingResult } from '../provider.ts'
import { readBase64Vector, readVector } from '../vector.ts'
import { field } from './fields.ts'
import type { Protocol } from './protocol.ts'

/** Many texts a request; answers are `{data: [{index, embedding}]}` in any order. */
export const openai: Protocol = {
  batch: 32,
  request: ({ texts, model }) => ({ model, input: texts, encoding_format: 'float' }),
  read: readMany,
}

function readMany(body: unknown, count: number, dimension: number): EmbeddingResult[] {
  const data = field(body, 'data')
  if (!Array.isArray(data) || data.length === 0) return all(count, 'missing_vector', 'the answer holds no vectors')
  if (data.length > count)
    return all(count, 'wrong_count', `the answer holds ${data.length} vectors for ${count} texts`)
  const indexes = data.map(item => field(item, 'index'))
  if (indexes.every(index => index === undefined || index === null)) {
    // Without indexes the order is all there is, and it says nothing when one is missing.
    if (data.length === count) return data.map(item => readItem(item, dimension))
    return all(count, 'wrong_count', `the answer holds ${data.length} vectors for ${count} texts, and no indexes`)
  }
  if (!indexes.every(index => isPlace(index, count)) || new Set(indexes).size !== indexes.length) {
    return all(count, 'bad_index', 'an index in the answer is missing, repeated or out of range')
  }
  const results = all(count, 'missing_vector', 'the answer left this text out')
  for (const item of data) results[Number(field(item, 'index'))] = readItem(item, dimension)
  return results
}

function readItem(item: unknown, dimension: number): EmbeddingResult {
  const embedding = field(item, 'embedding')
  // Some services answer base64 whatever was asked for.
  return typeof embedding === 'string' ? readBase64Vector(embedding, dimension) : readVector(embedding, dimension)
}

function isPlace(index: unknown, count: number): boolean {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count
}

function all(count: number, code: FailureCode, message: string): EmbeddingResult[] {
  return Array.from({ length: count }, () => ({ ok: false, error: failure(code, message) }))
}
