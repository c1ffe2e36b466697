import { z } from 'zod'
import { ORIGINS } from './commit.ts'
import { blockIdSchema } from './endpoints.ts'
import { envelopeShape } from './envelope.ts'

export const MERGE_VERSION = 1

/** `hologram/merge`: two blocks are one. The dropped id stays as an alias of the kept one. */
export const mergeSchema = z.object({
  v: z.literal(MERGE_VERSION),
  ...envelopeShape,
  keep: blockIdSchema,
  drop: blockIdSchema,
  /** In every namespace, not only in `ns`. */
  everywhere: z.literal(true).optional(),
  reason: z.string().max(1_000).optional(),
  origin: z.enum(ORIGINS),
})

export type MergeEvent = z.infer<typeof mergeSchema>
