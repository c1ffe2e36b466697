import { HttpProvider } from './http.ts'
import { LocalProvider } from './local.ts'
import { type EmbeddingProvider, NO_PROVIDER } from './provider.ts'
import type { EmbedSettings } from './settings.ts'

export type { BreakerOptions, BreakerState } from './control/breaker.ts'
export { type EmbeddingFailure, FAILURE_CODES, type FailureCode } from './failure.ts'
export { type FingerprintParts, fingerprint, normaliseEndpoint } from './fingerprint.ts'
export { type HttpOptions, HttpProvider } from './http.ts'
export { type LocalOptions, LocalProvider } from './local.ts'
export type { ProtocolName } from './protocols/index.ts'
export {
  type EmbeddingProvider,
  type EmbeddingResult,
  type EmbedOptions,
  NO_PROVIDER,
  type Side,
  type Space,
} from './provider.ts'
export { DEFAULT_TIMEOUT_MS, type EmbedSettings } from './settings.ts'

/**
 * The provider that the settings ask for: an endpoint, a local model, or none. Never throws and sends nothing; settings
 * that cannot be used show as the provider's `problem`. Of endpoint and folder together, neither is used.
 */
export function embeddingProvider(settings: EmbedSettings = {}): EmbeddingProvider {
  const endpoint = (settings.endpoint ?? '').trim()
  const directory = (settings.directory ?? '').trim()
  if (endpoint !== '') return new HttpProvider({ ...settings, endpoint, directory })
  return directory === '' ? NO_PROVIDER : new LocalProvider({ ...settings, directory })
}
