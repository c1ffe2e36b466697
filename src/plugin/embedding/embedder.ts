import type { EmbeddingProvider, Space } from '../../embedding/index.ts'
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

/** Of a recall's time, the share that its question may take to be embedded; the rest is for the search. */
const QUESTION_SHARE = 0.6
/** How long a question may take to be embedded where the recall has no deadline, in milliseconds. */
const QUESTION_MS = 2_000

/** Vectors for what is committed and asked, within a time of their own. Never throws: without a vector words are enough. */
export class Embedder {
  private readonly provider: EmbeddingProvider
  private readonly budgetMs: number

  /** `budgetMs` is how long a commit waits for its vector; a later one goes to the journal. */
  constructor(provider: EmbeddingProvider, budgetMs: number) {
    this.provider = provider
    this.budgetMs = budgetMs
  }

  /** The space that is written in; undefined without a provider that can embed. */
  get space(): Space | undefined {
    return this.provider.space
  }

  async document(text: string, signal?: AbortSignal): Promise<BroughtVector> {
    if (this.isOff) return {}
    const [result] = await this.provider.embed([canonicalText(text)], {
      side: 'document',
      deadline: this.budgetMs,
      ...(signal === undefined ? {} : { signal }),
    })
    const { space } = this.provider
    if (result?.ok && space !== undefined)
      return { vector: { space: space.fingerprint, data: encodeVector(result.vector) } }
    // The code only: a message may quote what the service said.
    return { noVector: result === undefined || result.ok ? 'missing_vector' : result.error.code }
  }

  async question(text: string, options: { signal?: AbortSignal; deadline?: number }): Promise<EmbeddedQuestion> {
    if (this.isOff || text.trim() === '') return {}
    const { signal, deadline } = options
    const [result] = await this.provider.embed([text], {
      side: 'query',
      deadline: deadline === undefined ? QUESTION_MS : deadline * QUESTION_SHARE,
      ...(signal === undefined ? {} : { signal }),
    })
    const { space } = this.provider
    if (result?.ok && space !== undefined) return { vector: { space: space.fingerprint, data: result.vector } }
    const code = result === undefined || result.ok ? 'missing_vector' : result.error.code
    return { degraded: code === 'no_space' || code === 'no_provider' ? `no_embedder: ${code}` : `embed_error: ${code}` }
  }

  /** Nobody asked for vectors. Settings that cannot be used are another matter, and are shown. */
  get isOff(): boolean {
    return this.provider.problem?.code === 'no_provider'
  }
}
