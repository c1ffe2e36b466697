import type { BreakerState } from './control/breaker.ts'
import { type EmbeddingFailure, failure } from './failure.ts'

/** A vector space. Vectors are comparable only when their spaces' fingerprints are equal to the letter. */
export interface Space {
  readonly fingerprint: string
  /** Length of its vectors, in floats. */
  readonly dimension: number
  /** `http` or `local`. */
  readonly provider: string
  readonly model: string
}

/** Some models embed a question and what may answer it differently. */
export type Side = 'query' | 'document'

export interface EmbedOptions {
  readonly side: Side
  /** Ends the call at once; what runs behind it is abandoned. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds from now in which the call ends; zero or less sends nothing. */
  readonly deadline?: number | undefined
}

/** One text's vector, of the space's dimension, finite and not zero, as the model gave it; or why there is none. */
export type EmbeddingResult =
  | { readonly ok: true; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly ok: false; readonly error: EmbeddingFailure }

/** Turns texts into vectors. */
export interface EmbeddingProvider {
  /** The space it embeds in. `undefined` when it cannot be named (yet): then nothing is ever sent. */
  readonly space: Space | undefined
  /** Why it cannot embed at all, for `status` and `doctor`; `undefined` while it may. */
  readonly problem: EmbeddingFailure | undefined
  /** Whether the service is being left alone after repeated failures, for `status`. */
  readonly breaker: BreakerState
  /** Resolves when `space` and `problem` are final. Never rejects. */
  readonly ready: Promise<void>
  /** One result per text, in the order of the texts. Never rejects and never throws. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly EmbeddingResult[]>
  /** Ends calls under way and frees connections and threads. Never rejects. */
  close(): Promise<void>
}

const NONE = failure('no_provider', 'no embedding provider is configured; recall is by words alone')

/** The default: no vectors, no network. */
export const NO_PROVIDER: EmbeddingProvider = Object.freeze({
  space: undefined,
  problem: NONE,
  breaker: 'closed',
  ready: Promise.resolve(),
  embed: (texts: readonly string[]) => Promise.resolve(allFailed(texts, NONE)),
  close: () => Promise.resolve(),
})

/** The same failure for each of the texts. */
export function allFailed(texts: readonly string[], error: EmbeddingFailure): EmbeddingResult[] {
  return texts.map(() => ({ ok: false, error }))
}
