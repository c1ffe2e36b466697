import { type EmbeddingFailure, failure } from '../failure.ts'
import type { EmbedOptions } from '../provider.ts'

/** Longest time a timer can be set to, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * What ends one call early: the caller's signal, its deadline, or the provider's end. `signal` is aborted by the first of
 * them, and `failure` says which it was. `dispose` must be called when the call is over.
 */
export class Ending {
  readonly #controller = new AbortController()
  readonly #started = performance.now()
  readonly #deadline: number
  readonly #disposals: (() => void)[] = []
  #failure: EmbeddingFailure | undefined

  constructor({ signal, deadline }: Pick<EmbedOptions, 'signal' | 'deadline'>, closed: AbortSignal) {
    this.#deadline = deadline === undefined || Number.isNaN(deadline) ? Number.POSITIVE_INFINITY : deadline
    this.#follow(closed, failure('closed', 'the embedding provider is closed'))
    if (signal !== undefined) this.#follow(signal, failure('aborted', 'the call was aborted'))
    const late = failure('deadline', `no vector within the deadline of ${deadline} ms`)
    if (this.#deadline <= 0) this.#end(late)
    else if (this.#deadline <= LONGEST_TIMER) {
      const timer = setTimeout(() => this.#end(late), this.#deadline)
      this.#disposals.push(() => clearTimeout(timer))
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why the call is over; `undefined` while it is not. */
  get failure(): EmbeddingFailure | undefined {
    return this.#failure
  }

  /** Milliseconds until the deadline; infinite without one. */
  get remaining(): number {
    return this.#deadline - (performance.now() - this.#started)
  }

  /** Waits, in milliseconds, or until the call is over. */
  wait(ms: number): Promise<void> {
    return new Promise(resolve => {
      if (this.signal.aborted) {
        resolve()
        return
      }
      const done = () => {
        clearTimeout(timer)
        this.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.signal.addEventListener('abort', done, { once: true })
    })
  }

  /** What the promise resolves to, or `undefined` when the call is over first; the promise is then left to itself. */
  orOver<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const over = () => resolve(undefined)
      if (this.signal.aborted) over()
      else this.signal.addEventListener('abort', over, { once: true })
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', over))
    })
  }

  dispose(): void {
    for (const dispose of this.#disposals) dispose()
    this.#disposals.length = 0
  }

  #follow(signal: AbortSignal, reason: EmbeddingFailure): void {
    const end = () => this.#end(reason)
    if (signal.aborted) {
      end()
      return
    }
    signal.addEventListener('abort', end, { once: true })
    this.#disposals.push(() => signal.removeEventListener('abort', end))
  }

  #end(reason: EmbeddingFailure): void {
    if (this.#failure !== undefined) return
    this.#failure = reason
    this.#controller.abort()
  }
}
