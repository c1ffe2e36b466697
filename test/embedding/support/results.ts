import type { EmbeddingFailure, EmbeddingResult } from '../../../src/embedding/index.ts'

/** The failure of each result; `undefined` where there is a vector. */
export function failures(results: readonly EmbeddingResult[]): (EmbeddingFailure | undefined)[] {
  return results.map(result => (result.ok ? undefined : result.error))
}

/** `ok` or the failure's code, of each result. */
export function codes(results: readonly EmbeddingResult[]): string[] {
  return results.map(result => (result.ok ? 'ok' : result.error.code))
}

/** The vectors as plain numbers; a code where there is none. */
export function vectors(results: readonly EmbeddingResult[]): (number[] | string)[] {
  return results.map(result => (result.ok ? [...result.vector] : result.error.code))
}

/** Milliseconds that something took, with what it resolved to. */
export async function timed<T>(promise: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const started = performance.now()
  const value = await promise
  return { value, ms: performance.now() - started }
}
