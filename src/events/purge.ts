import { z } from 'zod'
import { documentIdSchema, MAX_PAGE } from './archive.ts'
import { ORIGINS } from './commit.ts'
import { blockIdSchema } from './endpoints.ts'
import { envelopeShape } from './envelope.ts'

export const PURGE_VERSION = 1

/** Most blocks one purge names. */
export const MAX_PURGED = 1_000

/**
 * `hologram/purge`: a tombstone for each block. Their texts do not come back by replay, older logs or auto-capture; a
 * later commit that somebody asked for brings one back.
 */
export const purgeSchema = z.object({
  v: z.literal(PURGE_VERSION),
  ...envelopeShape,
  ids: z.array(blockIdSchema).min(1).max(MAX_PURGED),
  /** Pages of cold documents that hold one of the texts; recall withholds them. */
  pages: z
    .array(z.object({ doc: documentIdSchema, page: z.int().nonnegative().max(MAX_PAGE) }))
    .max(MAX_PURGED)
    .optional(),
  /** In every namespace, not only in `ns`. */
  everywhere: z.literal(true).optional(),
  reason: z.string().max(1_000),
  origin: z.enum(ORIGINS),
})

export type PurgeEvent = z.infer<typeof purgeSchema>
