/** What can go wrong with one text's vector. The codes are stable: they are counted, stored and documented. */
export const FAILURE_CODES = [
  /** No provider is configured. */
  'no_provider',
  /** The space has no name or no dimension; nothing was sent. */
  'no_space',
  /** The settings cannot be used; nothing was sent. */
  'bad_settings',
  /** The provider was closed. */
  'closed',
  /** The text is empty; nothing was sent for it. */
  'empty_text',
  /** The caller's signal. */
  'aborted',
  /** The caller's deadline. */
  'deadline',
  /** After repeated failures nothing is sent for a while. */
  'breaker_open',
  /** No connection within its time. */
  'connect_timeout',
  /** No complete answer within `timeoutMs`. */
  'timeout',
  /** The connection failed or broke. */
  'network',
  /** A status other than 2xx and 3xx. */
  'http_status',
  /** A status of 3xx; never followed. */
  'redirect',
  /** The body is larger than any right answer, as sent or unpacked. */
  'body_too_large',
  /** A content encoding that is unknown, or not what it claims to be. */
  'bad_encoding',
  'not_json',
  /** 2xx, but the body reports an error. */
  'error_body',
  /** The body has no vector where one belongs. */
  'missing_vector',
  /** More or fewer vectors than texts, with nothing that says which is whose. */
  'wrong_count',
  /** An `index` that is missing, repeated or out of range. */
  'bad_index',
  'wrong_dimension',
  'non_numeric',
  'non_finite',
  'zero_vector',
  /** The optional package that runs local models is not installed. */
  'peer_missing',
  /** The local model cannot be used. */
  'model_unusable',
  /** The worker thread of the local model died. */
  'worker_died',
  /** A fault of ours. */
  'internal',
] as const

export type FailureCode = (typeof FAILURE_CODES)[number]

/** Why a text got no vector. Plain data: it can be sent, stored and compared. */
export interface EmbeddingFailure {
  readonly code: FailureCode
  /** For people. Holds no key; may quote up to 200 characters of the service. Store the code, not this. */
  readonly message: string
  /** The HTTP status, where there was one. */
  readonly status?: number
  /** How long the service asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number
}

/** Makes a failure. */
export function failure(
  code: FailureCode,
  message: string,
  more: Pick<EmbeddingFailure, 'status' | 'retryAfterMs'> = {},
): EmbeddingFailure {
  return { code, message, ...more }
}
