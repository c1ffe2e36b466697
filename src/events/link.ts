import { z } from 'zod'
import { ORIGINS } from './commit.ts'
import { edgeShape } from './endpoints.ts'
import { envelopeShape } from './envelope.ts'

export const LINK_VERSION = 1

/** `hologram/link`: an edge. Said again, the later confidence counts. */
export const linkSchema = z.object({
  v: z.literal(LINK_VERSION),
  ...envelopeShape,
  ...edgeShape,
  /** In [0, 1]; 1 when not said. */
  confidence: z.number().min(0).max(1).optional(),
  origin: z.enum(ORIGINS),
})

/** `hologram/unlink`: the edge is no more, until a later link. */
export const unlinkSchema = z.object({
  v: z.literal(LINK_VERSION),
  ...envelopeShape,
  ...edgeShape,
  origin: z.enum(ORIGINS),
})

export type LinkEvent = z.infer<typeof linkSchema>
export type UnlinkEvent = z.infer<typeof unlinkSchema>
