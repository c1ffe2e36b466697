import type { EmbeddingResult, Side } from '../provider.ts'

export interface ProtocolRequest {
  readonly texts: readonly string[]
  readonly side: Side
  /** Empty for none. */
  readonly model: string
}

/** What is asked of a service, and how its answer is read. */
export interface Protocol {
  /** Texts in one request, at most. */
  readonly batch: number
  /** The request's body. */
  request(asked: ProtocolRequest): object
  /** One result per text from a 2xx body that is JSON and reports no error. Total: takes any value. */
  read(body: unknown, count: number, dimension: number): readonly EmbeddingResult[]
}
