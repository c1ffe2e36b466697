import { basename, resolve } from 'node:path'
import { Breaker, type BreakerOptions, type BreakerState, speaksAgainstService } from './control/breaker.ts'
import { Ending } from './control/ending.ts'
import { Gate } from './control/gate.ts'
import { type EmbeddingFailure, failure } from './failure.ts'
import { fingerprint } from './fingerprint.ts'
import { PEER } from './local/peer.ts'
import { Thread } from './local/thread.ts'
import { allFailed, type EmbeddingProvider, type EmbeddingResult, type EmbedOptions, type Space } from './provider.ts'
import type { EmbedSettings } from './settings.ts'
import { checkVector } from './vector.ts'
import { type Asked, batchesOf } from './wire/batches.ts'

/** Texts given to the model at once: few, so that a question waits for few documents. */
const BATCH = 8
/** Longest time to load a model, in milliseconds. */
const START_MS = 120_000
/** Longest time for one batch, in milliseconds, unless `embed.timeoutMs` says otherwise. */
const ANSWER_MS = 60_000
const BREAKER_OPEN = failure('breaker_open', 'the local model failed repeatedly and is left alone for a while')

/** What tests vary. */
export interface LocalOptions {
  readonly breaker?: BreakerOptions
  readonly startMs?: number
  /** Imported in place of the package. */
  readonly peer?: string
}

/**
 * Embedding by a model in a folder of the user's, in a worker thread, by an optional package that is loaded only here.
 * No network. Until the model is loaded `space` is `undefined`, and calls wait for it within their deadline. The vectors
 * are those of the model, pooled as its folder says, of length 1.
 */
export class LocalProvider implements EmbeddingProvider {
  readonly ready: Promise<void>
  readonly #thread: Thread
  readonly #breaker: Breaker
  readonly #gate = new Gate(1)
  readonly #closed = new AbortController()
  #space: Space | undefined
  #problem: EmbeddingFailure | undefined

  constructor(settings: EmbedSettings & { readonly directory: string }, options: LocalOptions = {}) {
    const { directory, timeoutMs = ANSWER_MS } = settings
    this.#thread = new Thread({ directory, peer: options.peer ?? PEER }, options.startMs ?? START_MS, timeoutMs)
    this.#breaker = new Breaker(options.breaker)
    this.ready = this.#open(settings)
  }

  get space(): Space | undefined {
    return this.#space
  }

  get problem(): EmbeddingFailure | undefined {
    return this.#problem
  }

  get breaker(): BreakerState {
    return this.#breaker.state
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<readonly EmbeddingResult[]> {
    if (texts.length === 0) return []
    const ending = new Ending(options, this.#closed.signal)
    try {
      await ending.orOver(this.ready)
      if (ending.failure !== undefined) return allFailed(texts, ending.failure)
      const { space } = this
      if (space === undefined) {
        return allFailed(texts, this.#problem ?? failure('no_space', 'the vector space has no name'))
      }
      const results = allFailed(texts, failure('empty_text', 'the text is empty'))
      for (const batch of batchesOf(texts, BATCH)) {
        const found = await this.#admitted(batch, options, space, ending)
        for (const [at, { place }] of batch.entries()) {
          const result = found[at]
          if (result !== undefined) results[place] = result
        }
      }
      return results
    } catch (error) {
      return allFailed(
        texts,
        failure('internal', `embedding failed: ${error instanceof Error ? error.message : error}`),
      )
    } finally {
      ending.dispose()
    }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#thread.close()
    await this.ready
  }

  async #open(settings: EmbedSettings & { readonly directory: string }): Promise<void> {
    const { directory, dimension } = settings
    try {
      const started = await this.#thread.start()
      if ('code' in started) {
        this.#problem = started
        return
      }
      if (dimension !== undefined && dimension !== started.dimension) {
        this.#problem = failure(
          'bad_settings',
          `embed.dimension is ${dimension}, and the model gives ${started.dimension}; remove the setting`,
        )
        return
      }
      const model = ((settings.model ?? '').trim() || basename(resolve(directory))).slice(0, 200)
      const name = fingerprint({ provider: 'local', model, dimension: started.dimension, content: started.content })
      if (name === '') this.#problem = failure('no_space', 'the model gives vectors without numbers')
      else this.#space = { fingerprint: name, dimension: started.dimension, provider: 'local', model }
    } catch (error) {
      this.#problem = failure(
        'internal',
        `the embedding thread did not start: ${error instanceof Error ? error.message : error}`,
      )
    }
  }

  async #admitted(
    batch: readonly Asked[],
    { side }: EmbedOptions,
    space: Space,
    ending: Ending,
  ): Promise<readonly EmbeddingResult[]> {
    const texts = batch.map(({ text }) => text)
    const over = () => ending.failure ?? failure('aborted', 'the call was aborted')
    if (this.#breaker.refuses) return allFailed(texts, BREAKER_OPEN)
    const leave = await this.#gate.enter(side, ending.signal)
    if (leave === undefined) return allFailed(texts, over())
    const permit = this.#breaker.enter()
    if (permit === undefined) {
      leave()
      return allFailed(texts, BREAKER_OPEN)
    }
    // The place is given up when the thread is free again, which may be long after the caller has gone.
    const asking = this.#thread.ask({ texts, side }).then(answer => {
      const results = readAnswer(answer, texts, space.dimension)
      const [first] = results
      if (results.some(({ ok }) => ok)) permit.succeeded()
      else if (first?.ok === false && speaksAgainstService(first.error, 0)) permit.failed()
      return results
    })
    const done = asking.finally(() => {
      permit.withdrawn()
      leave()
    })
    return (await ending.orOver(done)) ?? allFailed(texts, over())
  }
}

function readAnswer(
  answer: readonly Float32Array<ArrayBuffer>[] | EmbeddingFailure,
  texts: readonly string[],
  dimension: number,
): EmbeddingResult[] {
  if ('code' in answer) return allFailed(texts, answer)
  if (answer.length !== texts.length) {
    return allFailed(texts, failure('wrong_count', `the model gave ${answer.length} vectors for ${texts.length} texts`))
  }
  return answer.map(vector => checkVector(vector, dimension))
}
