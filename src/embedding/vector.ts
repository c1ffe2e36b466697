import { failure } from './failure.ts'
import type { EmbeddingResult } from './provider.ts'

/**
 * Reads a vector from an array of numbers. Nothing is coerced: a string that looks like a number is not one. Finiteness
 * and being zero are judged on the float32 values that are kept.
 */
export function readVector(value: unknown, dimension: number): EmbeddingResult {
  if (value === undefined || value === null) return failed('missing_vector', 'the answer holds no vector')
  if (!Array.isArray(value)) return failed('non_numeric', `the vector is a ${typeof value}, not an array of numbers`)
  if (value.length !== dimension) return wrongDimension(value.length, dimension)
  const vector = new Float32Array(dimension)
  for (const [place, item] of value.entries()) {
    if (typeof item !== 'number') {
      return failed('non_numeric', `the vector holds ${item === null ? 'null' : `a ${typeof item}`} at ${place}`)
    }
    vector[place] = item
  }
  return checkVector(vector, dimension)
}

/** Reads a vector from base64 of exactly `dimension` little-endian float32. */
export function readBase64Vector(value: string, dimension: number): EmbeddingResult {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    return failed('non_numeric', 'the vector is text that is not base64')
  }
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length !== dimension * 4) return wrongDimension(bytes.length / 4, dimension)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vector = new Float32Array(dimension)
  for (let place = 0; place < dimension; place += 1) vector[place] = view.getFloat32(place * 4, true)
  return checkVector(vector, dimension)
}

/** Lets a vector pass that has the dimension, is finite, and is not zero. */
export function checkVector(vector: Float32Array<ArrayBuffer>, dimension: number): EmbeddingResult {
  if (vector.length !== dimension) return wrongDimension(vector.length, dimension)
  let largest = 0
  for (const [place, item] of vector.entries()) {
    if (!Number.isFinite(item)) return failed('non_finite', `the vector is not finite at ${place}`)
    largest = Math.max(largest, Math.abs(item))
  }
  if (largest === 0) return failed('zero_vector', 'every number of the vector is zero')
  return { ok: true, vector }
}

function wrongDimension(length: number, dimension: number): EmbeddingResult {
  return failed('wrong_dimension', `the vector has ${length} numbers, and its space has ${dimension}`)
}

function failed(...of: Parameters<typeof failure>): EmbeddingResult {
  return { ok: false, error: failure(...of) }
}
