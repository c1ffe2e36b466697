import { hologram } from './hologram.ts'
import { openai } from './openai.ts'
import type { Protocol } from './protocol.ts'

export { field } from './fields.ts'
export type { Protocol, ProtocolRequest } from './protocol.ts'

export type ProtocolName = 'hologram' | 'openai'

export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = { hologram, openai }
