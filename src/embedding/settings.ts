import { type EmbeddingFailure, failure } from './failure.ts'
import { fingerprint } from './fingerprint.ts'
import { PROTOCOLS, type ProtocolName } from './protocols/index.ts'
import type { Space } from './provider.ts'

/** The user's settings, `embed.*`. With neither `endpoint` nor `directory` there are no vectors and no network. */
export interface EmbedSettings {
  /** Full address that requests are posted to. */
  readonly endpoint?: string | undefined
  /** Length of the vectors. Without it the space of an endpoint has no name, and nothing is sent. */
  readonly dimension?: number | undefined
  readonly model?: string | undefined
  /** Sent as a bearer token to the endpoint's origin and nowhere else. */
  readonly apiKey?: string | undefined
  /** A name for the space instead of the computed one; an empty one switches vectors off. */
  readonly fingerprint?: string | undefined
  /** Limit of one request, in milliseconds. Default 10 000. */
  readonly timeoutMs?: number | undefined
  /** Default `hologram`. */
  readonly protocol?: ProtocolName | undefined
  /** Folder of a local model. Not together with `endpoint`. */
  readonly directory?: string | undefined
}

export const DEFAULT_TIMEOUT_MS = 10_000
const MAX_TIMEOUT_MS = 600_000
const MAX_NAME = 200
const MAX_FINGERPRINT = 500
const MAX_DIMENSION = 65_536
/** What a header can carry, and no key lacks: visible ASCII. */
const KEY = /^[\x21-\x7e]{1,4096}$/

/** Settings of an endpoint that passed every check. */
export interface HttpTarget {
  readonly space: Space
  readonly url: URL
  readonly protocol: ProtocolName
  /** As given; empty for a service that needs none. */
  readonly model: string
  /** Empty for none. */
  readonly apiKey: string
  readonly timeoutMs: number
}

/** Checks the settings of an endpoint. Sends nothing; a failure names the setting and the remedy, never a value. */
export function resolveHttp(settings: EmbedSettings): HttpTarget | EmbeddingFailure {
  const { endpoint, dimension, timeoutMs = DEFAULT_TIMEOUT_MS, protocol = 'hologram' } = settings
  const model = (settings.model ?? '').trim()
  const apiKey = (settings.apiKey ?? '').trim()
  if ((settings.directory ?? '') !== '') return bad('embed.endpoint and embed.directory are both set; remove one')
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint.trim())) {
    return bad('embed.endpoint is not an address; give the full one, with its scheme and path')
  }
  const url = new URL(endpoint.trim())
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return bad('embed.endpoint must be http or https')
  if (url.username !== '' || url.password !== '') {
    return bad('embed.endpoint holds a user name or password; put the key into embed.apiKey')
  }
  if (!Object.hasOwn(PROTOCOLS, protocol)) {
    return bad(`embed.protocol must be one of ${Object.keys(PROTOCOLS).join(', ')}`)
  }
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    return bad(`embed.timeoutMs must be from 1 to ${MAX_TIMEOUT_MS} milliseconds`)
  }
  if (apiKey !== '' && !KEY.test(apiKey)) return bad('embed.apiKey holds characters that no header can carry')
  if (model.length > MAX_NAME) return bad(`embed.model must be at most ${MAX_NAME} characters`)
  if (protocol === 'openai' && model === '') return bad('embed.protocol openai needs embed.model')
  if (dimension === undefined)
    return failure('no_space', 'embed.dimension is not set; set it to the model’s vector length')
  if (!Number.isSafeInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION) {
    return failure('no_space', `embed.dimension must be a whole number from 1 to ${MAX_DIMENSION}`)
  }
  const name = fingerprint({ provider: 'http', model, dimension, endpoint, given: settings.fingerprint })
  if (name === '') return failure('no_space', 'embed.fingerprint is empty; name the space or remove the setting')
  if (name.length > MAX_FINGERPRINT) return bad(`embed.fingerprint must be at most ${MAX_FINGERPRINT} characters`)
  return { space: { fingerprint: name, dimension, provider: 'http', model }, url, protocol, model, apiKey, timeoutMs }
}

/** Whether a check failed. */
export function isFailure(value: HttpTarget | EmbeddingFailure): value is EmbeddingFailure {
  return 'code' in value
}

function bad(message: string): EmbeddingFailure {
  return failure('bad_settings', message)
}
