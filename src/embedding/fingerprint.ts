import { createHash } from 'node:crypto'

/** What a fingerprint is made of. */
export type FingerprintParts =
  | {
      readonly provider: 'http'
      readonly model: string
      readonly dimension: number
      readonly endpoint: string
      /** The name that the user gave the space; it is taken as it is, trimmed. */
      readonly given?: string | undefined
    }
  | {
      readonly provider: 'local'
      readonly model: string
      readonly dimension: number
      /** Hexadecimal digest of all files that decide what the vectors are. */
      readonly content: string
    }

/**
 * The only maker of fingerprints: `<provider>:<model>:<dimension>:<8 hex>`. Returns the empty string, which names no
 * space, when the dimension is not a positive whole number, the endpoint is empty, or the user gave an empty name.
 */
export function fingerprint(parts: FingerprintParts): string {
  if (!Number.isSafeInteger(parts.dimension) || parts.dimension < 1) return ''
  const { provider, model, dimension } = parts
  if (provider === 'local') return `local:${model}:${dimension}:${parts.content.slice(0, 8)}`
  if (parts.given !== undefined) return parts.given.trim()
  const endpoint = normaliseEndpoint(parts.endpoint)
  if (endpoint === '') return ''
  return `http:${model}:${dimension}:${createHash('sha256').update(endpoint).digest('hex').slice(0, 8)}`
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(.*)$/is
const AUTHORITY = /^(.*@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/s

/**
 * One spelling for addresses that mean the same: trimmed, scheme and host lower-cased, default port and trailing slashes
 * of the path dropped. Everything else is kept to the letter, the order of a query and `..` among it. What is not an
 * address with a scheme is only trimmed.
 */
export function normaliseEndpoint(endpoint: string): string {
  const text = endpoint.trim()
  const [, rawScheme, authority, path, rest] = PARTS.exec(text) ?? []
  if (rawScheme === undefined || authority === undefined || path === undefined || rest === undefined) return text
  const scheme = rawScheme.toLowerCase()
  const [, user = '', host, port = ''] = AUTHORITY.exec(authority) ?? []
  if (host === undefined) return text
  const shownPort = port === '' || port === DEFAULT_PORTS[scheme] ? '' : `:${port}`
  return `${scheme}://${user}${host.toLowerCase()}${shownPort}${path.replace(/\/+$/, '')}${rest}`
}
