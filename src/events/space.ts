import { z } from 'zod'
import { envelopeShape } from './envelope.ts'

export const SPACE_VERSION = 1

/** `hologram/space`: the vector space this session writes in from now on. */
export const spaceSchema = z.object({
  v: z.literal(SPACE_VERSION),
  ...envelopeShape,
  fingerprint: z.string().min(1).max(500),
  /** Length of the vectors, in floats. */
  dimension: z.int().positive().max(65_536),
  provider: z.string().max(200),
  model: z.string().max(200),
})

export type SpaceEvent = z.infer<typeof spaceSchema>
