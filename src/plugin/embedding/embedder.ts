import type { EmbeddingProvider, EmbeddingResult, EmbedOptions, Space } from '../../embedding/index.ts'
import type { CommitEvent } from '../../events/index.ts'
import { canonicalText, encodeVector } from '../../events/index.ts'
import type { QuestionVector } from '../../readmodels/index.ts'

/** What a commit says of its vector: the vector, why there is none, or nothing where none is wanted. */
export type BroughtVector = Pick<CommitEvent, 'vector' | 'noVector'>

/** A question's vector, or why there is none. */
export interface EmbeddedQuestion {
  readonly vector?: QuestionVector
  readonly degraded?: string
}

/** How embedding goes in this process. */
export interface EmbedderState {
  /** Fingerprint of the space that is written in; null when nothing can be embedded. */
  readonly space: string | null
  /** Why nothing can be embedded, in words; null while it can. */
  readonly problem: string | null
  /** `open` or `half-open` while the service is left alone after repeated failures. */
  readonly breaker: string
  /** Commits and questions that got no vector, by code. */
  readonly failures: Readonly<Record<string, number>>
  /** What the last of them failed of, in words; null when none did. It may quote the service, and never the key. */
  readonly lastError: string | null
}

/** Of a recall's time, the share that its question may take to be embedded; the rest is for the search. */
const QUESTION_SHARE = 0.6
/** How long a question may take to be embedded where the recall has no deadline, in milliseconds. */
const QUESTION_MS = 2_000

/** How long the same kind of failure is not told again, in milliseconds. */
const SAME_MS = 60_000

/** Vectors for what is committed and asked, within a time of their own. Never throws: without a vector words are enough. */
export class Embedder {
  private readonly provider: EmbeddingProvider
  private readonly budgetMs: number
  private readonly failures: Record<string, number> = {}
  private lastError: string | null = null
  private readonly tell: (trouble: string) => void
  private told: { readonly code: string; readonly at: number } | undefined

  /**
   * `budgetMs` is how long a commit waits for its vector; a later one goes to the journal. `tell` hears of failures in
   * words, of the same kind once a minute.
   */
  constructor(provider: EmbeddingProvider, budgetMs: number, tell: (trouble: string) => void = () => undefined) {
    this.provider = provider
    this.budgetMs = budgetMs
    this.tell = tell
  }

  /** The space that is written in; undefined without a provider that can embed. */
  get space(): Space | undefined {
    return this.provider.space
  }

  get state(): EmbedderState {
    const { space, problem, breaker } = this.provider
    return {
      space: space?.fingerprint ?? null,
      problem: this.isOff ? null : (problem?.message ?? null),
      breaker,
      failures: { ...this.failures },
      lastError: this.lastError,
    }
  }

  async document(text: string, signal?: AbortSignal): Promise<BroughtVector> {
    if (this.isOff) return {}
    const result = await this.ask(canonicalText(text), {
      side: 'document',
      deadline: this.budgetMs,
      ...(signal === undefined ? {} : { signal }),
    })
    const { space } = this.provider
    if (result.ok && space !== undefined)
      return { vector: { space: space.fingerprint, data: encodeVector(result.vector) } }
    // The code only: a message may quote what the service said.
    return { noVector: result.ok ? 'no_space' : result.error.code }
  }

  async question(text: string, options: { signal?: AbortSignal; deadline?: number }): Promise<EmbeddedQuestion> {
    if (this.isOff || text.trim() === '') return {}
    const { signal, deadline } = options
    const result = await this.ask(text, {
      side: 'query',
      deadline: deadline === undefined ? QUESTION_MS : deadline * QUESTION_SHARE,
      ...(signal === undefined ? {} : { signal }),
    })
    const { space, problem } = this.provider
    if (result.ok && space !== undefined) return { vector: { space: space.fingerprint, data: result.vector } }
    const code = result.ok ? 'no_space' : result.error.code
    return { degraded: `${problem === undefined ? 'embed_error' : 'no_embedder'}: ${code}` }
  }

  /** Nobody asked for vectors. Settings that cannot be used are another matter, and are shown. */
  get isOff(): boolean {
    return this.provider.problem?.code === 'no_provider'
  }

  /** One text's vector; a provider that breaks its word and throws, or says nothing, counts as one that failed. */
  private async ask(text: string, options: EmbedOptions): Promise<EmbeddingResult> {
    let result: EmbeddingResult | undefined
    let thrown = 'the embedding provider gave no result'
    try {
      ;[result] = await this.provider.embed([text], options)
    } catch (error) {
      thrown = `the embedding provider threw: ${error instanceof Error ? error.message : String(error)}`
    }
    result ??= { ok: false, error: { code: 'internal', message: thrown } }
    if (!result.ok) {
      const { code, message } = result.error
      this.failures[code] = (this.failures[code] ?? 0) + 1
      this.lastError = `${code}: ${message}`
      this.report(code)
    }
    return result
  }

  private report(code: string): void {
    const at = performance.now()
    if (code === 'aborted' || (this.told?.code === code && at - this.told.at < SAME_MS)) return
    this.told = { code, at }
    this.tell(`a text or question got no vector: ${this.lastError}`)
  }
}
