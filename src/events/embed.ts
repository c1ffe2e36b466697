import { z } from 'zod'
import { documentIdSchema } from './archive.ts'
import { blockIdSchema } from './endpoints.ts'
import { envelopeShape } from './envelope.ts'

export const EMBED_VERSION = 1

/** Bytes of one number of a vector. */
const FLOAT_BYTES = 4

/** What a vector can be of. */
export const embedTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('block'), id: blockIdSchema }),
  z.object({ kind: z.literal('document'), id: documentIdSchema }),
])

/** The space of a vector, declared in full: an embed event may be the only one that names it. */
export const embedSpaceSchema = z.object({
  fingerprint: z.string().min(1).max(500),
  /** Length of its vectors, in floats. */
  dimension: z.int().positive().max(65_536),
  provider: z.string().max(200),
  model: z.string().max(200),
})

/**
 * `hologram/embed`: a vector that came later than its text, or in another space. It goes to the journal, never into a
 * session. Of several for one target and space the latest counts.
 */
export const embedSchema = z
  .object({
    v: z.literal(EMBED_VERSION),
    ...envelopeShape,
    target: embedTargetSchema,
    space: embedSpaceSchema,
    /** base64 of `dimension` float32, little-endian. */
    data: z.base64(),
  })
  .refine(({ space, data }) => base64Bytes(data) === space.dimension * FLOAT_BYTES, {
    path: ['data'],
    message: 'not as long as the dimension says',
  })

export type EmbedEvent = z.infer<typeof embedSchema>
export type EmbedTarget = z.infer<typeof embedTargetSchema>
export type EmbedSpace = z.infer<typeof embedSpaceSchema>

/** How many bytes valid base64 stands for. */
function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return (data.length / 4) * 3 - padding
}

/** A vector as events carry it: base64 of float32, little-endian on every machine. */
export function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * FLOAT_BYTES)
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * FLOAT_BYTES)
  return bytes.toString('base64')
}
