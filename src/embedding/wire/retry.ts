import type { EmbeddingFailure } from '../failure.ts'

/** Repetitions of one request, at most. */
export const RETRIES = 2
const FIRST_MS = 250
/** Longest wait before a repetition, in milliseconds; a service that asks for more is not asked again now. */
const LONGEST_MS = 30_000

/** Whether asking again may help: the service is busy or broken, and said so. */
export function mayRetry({ code, status = 0 }: EmbeddingFailure): boolean {
  return code === 'http_status' && (status === 429 || status >= 500)
}

/**
 * Milliseconds to wait before repetition `round` (from 0), or `undefined` when that would take too long. Never less than
 * the service asked for. `random` is in [0, 1): clients that failed together do not come back together.
 */
export function retryDelay(
  round: number,
  { retryAfterMs = 0 }: EmbeddingFailure,
  remaining: number,
  random: number,
): number | undefined {
  const backoff = FIRST_MS * 2 ** round
  const wait = Math.max(retryAfterMs, backoff / 2) + (random * backoff) / 2
  return wait > LONGEST_MS || wait >= remaining ? undefined : wait
}

/** Milliseconds of a `Retry-After` header, in seconds or as a date; `undefined` when it is absent or neither. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = (header ?? '').trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /.test(text)) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
