import type { FailureCode } from '../failure.ts'
import type { Side } from '../provider.ts'

/** What the thread is started with. */
export interface ThreadData {
  /** Folder of the model. */
  readonly directory: string
  /** What is imported to run it: the name of the package, or the address of a module. */
  readonly peer: string
}

/** To the thread: texts to embed. It answers one question before it takes the next. */
export interface Question {
  readonly texts: readonly string[]
  readonly side: Side
}

/** From the thread: once `ready` or `failed`, then one `vectors` or `failed` for each question. */
export type Reply =
  | {
      readonly kind: 'ready'
      /** Length of the vectors, in floats. */
      readonly dimension: number
      /** Hexadecimal digest of what decides the vectors. */
      readonly content: string
    }
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array<ArrayBuffer>[] }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly message: string }
