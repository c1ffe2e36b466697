import type { EmbeddingFailure } from '../failure.ts'

export interface BreakerOptions {
  /** Failures in a row that open it. Default 3. */
  readonly threshold?: number
  /** How long it stays open at first, in milliseconds; doubled with every probe that fails. Default 30 000. */
  readonly coolDownMs?: number
  /** Longest time it stays open, in milliseconds. Default 300 000. */
  readonly longestMs?: number
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number
}

/** Leave to send one request. Exactly one of these must be called; what comes after the first is ignored. */
export interface Permit {
  succeeded(): void
  failed(): void
  /** It says nothing about the service: the caller went away. */
  withdrawn(): void
}

export type BreakerState = 'closed' | 'open' | 'half-open'

/**
 * Keeps a broken service from costing every call its whole deadline. Closed, everything passes. After some failures in a
 * row it opens, and nothing passes for a while. Then one request passes as a probe: it closes the breaker or opens it anew.
 */
export class Breaker {
  readonly #threshold: number
  readonly #coolDownMs: number
  readonly #longestMs: number
  readonly #now: () => number
  #failures = 0
  /** Openings without a success between them. */
  #openings = 0
  #openUntil: number | undefined
  #probing = false
  /** Changes with every opening and closing: late news from before is not news. */
  #era = 0

  constructor(options: BreakerOptions = {}) {
    this.#threshold = options.threshold ?? 3
    this.#coolDownMs = options.coolDownMs ?? 30_000
    this.#longestMs = options.longestMs ?? 300_000
    this.#now = options.now ?? (() => performance.now())
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed'
    return this.#now() < this.#openUntil ? 'open' : 'half-open'
  }

  /** Whether a request would be refused now. */
  get refuses(): boolean {
    return this.state === 'open' || (this.state === 'half-open' && this.#probing)
  }

  /** Leave to send one request, or `undefined`: send nothing. */
  enter(): Permit | undefined {
    if (this.refuses) return undefined
    const probe = this.state === 'half-open'
    if (probe) this.#probing = true
    const era = this.#era
    let open = true
    const once = (then: () => void) => () => {
      if (!open || era !== this.#era) return
      open = false
      if (probe) this.#probing = false
      then()
    }
    return {
      succeeded: once(() => this.#close()),
      failed: once(() => this.#fail(probe)),
      withdrawn: once(() => undefined),
    }
  }

  #close(): void {
    this.#failures = 0
    this.#openings = 0
    if (this.#openUntil !== undefined) this.#era += 1
    this.#openUntil = undefined
  }

  #fail(probe: boolean): void {
    this.#failures += 1
    if (!probe && this.#failures < this.#threshold) return
    this.#openUntil = this.#now() + Math.min(this.#longestMs, this.#coolDownMs * 2 ** Math.min(this.#openings, 20))
    this.#openings += 1
    this.#failures = 0
    this.#era += 1
  }
}

/** Statuses that speak of the text and not of the service. */
const OF_THE_TEXT = [400, 413, 422]
/** A deadline that leaves less than this, in milliseconds, says nothing about the service. */
const FAIR_MS = 100

/** Whether a failure speaks against the service. `waited` is how long it had, in milliseconds. */
export function speaksAgainstService({ code, status = 0 }: EmbeddingFailure, waited: number): boolean {
  if (code === 'aborted' || code === 'closed') return false
  if (code === 'deadline') return waited >= FAIR_MS
  return !(code === 'http_status' && OF_THE_TEXT.includes(status))
}
