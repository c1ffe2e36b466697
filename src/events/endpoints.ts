import { z } from 'zod'

/** What an edge can connect. Blocks and documents are things of ours; entities and sentences are named by their text. */
export const ENDPOINT_KINDS = ['block', 'document', 'entity', 'sentence'] as const
export type EndpointKind = (typeof ENDPOINT_KINDS)[number]

/**
 * Edge types with a meaning of their own: `supersedes` decides which of two facts recall shows, `contains` and
 * `derived_from` tie blocks to documents, `mentions` ties them to entities. Any other type is a free relation.
 */
export const STRUCTURAL_TYPES = ['supersedes', 'contains', 'derived_from', 'mentions'] as const

/** A block id: ours has 24 hex digits, those of the earlier port 12. */
const BLOCK_ID = /^blk_(?:[0-9a-f]{12}|[0-9a-f]{24})$/
export const blockIdSchema = z.string().regex(BLOCK_ID)

export function isBlockId(value: unknown): value is string {
  return typeof value === 'string' && BLOCK_ID.test(value)
}

export const endpointIdSchema = z
  .string()
  .min(1)
  .max(500)
  // What a store would change on the way in would be another endpoint on the way out.
  .refine(id => id.isWellFormed(), 'not well-formed')

/** Type of an edge: a short word. */
export const EDGE_TYPE = /^[\p{L}\p{N}][\p{L}\p{N}_:.-]{0,63}$/u
export const edgeTypeSchema = z.string().regex(EDGE_TYPE)

/** The members that tell one edge from another. */
export const edgeShape = {
  sourceKind: z.enum(ENDPOINT_KINDS),
  sourceId: endpointIdSchema,
  targetKind: z.enum(ENDPOINT_KINDS),
  targetId: endpointIdSchema,
  type: edgeTypeSchema,
}
