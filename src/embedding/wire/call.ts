import type { Ending } from '../control/ending.ts'
import { type EmbeddingFailure, failure } from '../failure.ts'
import { PROTOCOLS } from '../protocols/index.ts'
import { allFailed, type EmbeddingResult, type Side } from '../provider.ts'
import type { HttpTarget } from '../settings.ts'
import type { Connections } from './exchange.ts'
import { type Json, readAnswer } from './read-answer.ts'
import { mayRetry, RETRIES, retryDelay } from './retry.ts'

/** Longest time for a connection to stand, in milliseconds. */
const CONNECT_MS = 5_000
/** A right answer's size in bytes, at most: what is around the numbers, and a number with its indentation. */
const FRAME_BYTES = 64 << 10
const NUMBER_BYTES = 48

/** What the requests of one call have in common. */
export class Call {
  /** Whether the service gave a vector. */
  answered = false
  /** Whether its deadline was held against the service. */
  late = false
  readonly target: HttpTarget
  readonly side: Side
  readonly ending: Ending
  readonly #connections: Connections
  readonly #random: () => number

  constructor(target: HttpTarget, connections: Connections, side: Side, ending: Ending, random: () => number) {
    this.target = target
    this.#connections = connections
    this.side = side
    this.ending = ending
    this.#random = random
  }

  /** Why the call is over. */
  get over(): EmbeddingFailure {
    return this.ending.failure ?? failure('aborted', 'the call was aborted')
  }

  /** One result per text, from one request and its repetitions. */
  async ask(texts: readonly string[]): Promise<readonly EmbeddingResult[]> {
    const { protocol, model, space } = this.target
    const { request, read } = PROTOCOLS[protocol]
    const body = JSON.stringify(request({ texts, side: this.side, model }))
    const maxBytes = FRAME_BYTES + texts.length * space.dimension * NUMBER_BYTES
    for (let round = 0; ; round += 1) {
      const answer = await this.#post(body, maxBytes)
      if (this.ending.failure !== undefined) return allFailed(texts, this.over)
      if (answer.ok) return read(answer.value, texts.length, space.dimension)
      const wait =
        round < RETRIES && mayRetry(answer.error)
          ? retryDelay(round, answer.error, this.ending.remaining, this.#random())
          : undefined
      if (wait === undefined) return allFailed(texts, answer.error)
      await this.ending.wait(wait)
      if (this.ending.failure !== undefined) return allFailed(texts, this.over)
    }
  }

  async #post(body: string, maxBytes: number): Promise<Json> {
    const { url, apiKey, timeoutMs } = this.target
    const answer = await this.#connections.post({
      url,
      body,
      apiKey,
      connectMs: Math.min(CONNECT_MS, timeoutMs),
      totalMs: timeoutMs,
      maxBytes,
      signal: this.ending.signal,
    })
    return readAnswer(answer, apiKey)
  }
}
