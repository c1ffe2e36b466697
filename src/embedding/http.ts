import { Breaker, type BreakerOptions, type BreakerState, speaksAgainstService } from './control/breaker.ts'
import { Ending } from './control/ending.ts'
import { Gate } from './control/gate.ts'
import { type EmbeddingFailure, failure } from './failure.ts'
import { PROTOCOLS } from './protocols/index.ts'
import { allFailed, type EmbeddingProvider, type EmbeddingResult, type EmbedOptions, type Space } from './provider.ts'
import { type EmbedSettings, type HttpTarget, isFailure, resolveHttp } from './settings.ts'
import { type Asked, batchesOf } from './wire/batches.ts'
import { Call } from './wire/call.ts'
import { Connections } from './wire/exchange.ts'
import { quote } from './wire/scrub.ts'

/** Requests under way at once, at most; one of the places is for questions only. */
const PLACES = 4
/** Statuses by which a service refuses a batch for one of its texts. */
const REFUSED_TEXT = [400, 413, 422]
/** Texts refused one by one, and none taken, after which the rest of a batch is not asked for. */
const REFUSALS = 4
const BREAKER_OPEN = failure('breaker_open', 'the embedding service failed repeatedly and is left alone for a while')

/** What tests vary. */
export interface HttpOptions {
  readonly breaker?: BreakerOptions
  readonly places?: number
  readonly random?: () => number
}

/**
 * Embedding over HTTP. Bounded in everything: time by `timeoutMs` for each request, by the caller's deadline and signal
 * for all of it; memory by the size of a right answer; repetitions; requests at once. Settings that cannot be used show as
 * `problem` and never as an exception, and send nothing.
 */
export class HttpProvider implements EmbeddingProvider {
  readonly space: Space | undefined
  readonly problem: EmbeddingFailure | undefined
  readonly ready: Promise<void> = Promise.resolve()
  readonly #target: HttpTarget | undefined
  readonly #connections: Connections | undefined
  readonly #breaker: Breaker
  readonly #gate: Gate
  readonly #random: () => number
  readonly #closed = new AbortController()

  constructor(settings: EmbedSettings, options: HttpOptions = {}) {
    const target = resolveHttp(settings)
    if (isFailure(target)) this.problem = target
    else {
      this.#target = target
      this.space = target.space
      this.#connections = new Connections(target.url.protocol === 'https:')
    }
    this.#breaker = new Breaker(options.breaker)
    this.#gate = new Gate(options.places ?? PLACES)
    this.#random = options.random ?? Math.random
  }

  get breaker(): BreakerState {
    return this.#breaker.state
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<readonly EmbeddingResult[]> {
    if (texts.length === 0) return []
    if (this.#target === undefined || this.#connections === undefined) {
      return allFailed(texts, this.problem ?? failure('no_space', 'the vector space has no name'))
    }
    const ending = new Ending(options, this.#closed.signal)
    try {
      if (ending.failure !== undefined) return allFailed(texts, ending.failure)
      if (this.#breaker.refuses) return allFailed(texts, BREAKER_OPEN)
      const call = new Call(this.#target, this.#connections, options.side, ending, this.#random)
      return await this.#all(texts, call)
    } catch (error) {
      const words = quote(error instanceof Error ? error.message : String(error), this.#target.apiKey)
      return allFailed(texts, failure('internal', `embedding failed: ${words}`))
    } finally {
      ending.dispose()
    }
  }

  close(): Promise<void> {
    this.#closed.abort()
    this.#connections?.close()
    return Promise.resolve()
  }

  async #all(texts: readonly string[], call: Call): Promise<EmbeddingResult[]> {
    const results = allFailed(texts, failure('empty_text', 'the text is empty'))
    await Promise.all(
      batchesOf(texts, PROTOCOLS[call.target.protocol].batch).map(async batch => {
        const found = await this.#halving(batch, call)
        for (const [at, { place }] of batch.entries()) {
          const result = found[at]
          if (result !== undefined) results[place] = result
        }
      }),
    )
    return results
  }

  /** A batch that is refused for one of its texts is asked for in halves, so that the others get their vectors. */
  async #halving(batch: readonly Asked[], call: Call): Promise<readonly EmbeddingResult[]> {
    const results = await this.#admitted(batch, call)
    if (batch.length === 1 || !results.some(isRefused)) return results
    const middle = Math.ceil(batch.length / 2)
    const left = await this.#halving(batch.slice(0, middle), call)
    // A service that refuses whatever it is asked refuses more than one text.
    if (left.length >= REFUSALS && left.every(isRefused) && !call.answered) return results
    return [...left, ...(await this.#halving(batch.slice(middle), call))]
  }

  async #admitted(batch: readonly Asked[], call: Call): Promise<readonly EmbeddingResult[]> {
    const texts = batch.map(({ text }) => text)
    const leave = await this.#gate.enter(call.side, call.ending.signal)
    if (leave === undefined) return allFailed(texts, call.over)
    try {
      const permit = this.#breaker.enter()
      if (permit === undefined) return allFailed(texts, BREAKER_OPEN)
      const started = performance.now()
      try {
        const results = await call.ask(texts)
        const [first] = results
        if (results.some(({ ok }) => ok)) {
          call.answered = true
          permit.succeeded()
        } else if (first?.ok === false && this.#speaksAgainst(first.error, call, performance.now() - started))
          permit.failed()
        return results
      } finally {
        permit.withdrawn()
      }
    } finally {
      leave()
    }
  }

  /** A deadline speaks against the service once a call, and not when the call was only too large for it. */
  #speaksAgainst(error: EmbeddingFailure, call: Call, waited: number): boolean {
    if (!speaksAgainstService(error, waited)) return false
    if (error.code !== 'deadline') return true
    const news = !call.answered && !call.late
    call.late = true
    return news
  }
}

function isRefused(result: EmbeddingResult): boolean {
  return !result.ok && result.error.code === 'http_status' && REFUSED_TEXT.includes(result.error.status ?? 0)
}
