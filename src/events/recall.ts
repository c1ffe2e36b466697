import { z } from 'zod'
import { documentIdSchema, MAX_PAGE } from './archive.ts'
import { blockIdSchema } from './endpoints.ts'
import { envelopeShape } from './envelope.ts'

export const RECALL_VERSION = 1
/** More than any message has; an event that says more is not ours. */
export const MAX_TOKENS = 1_000_000

/** One thing that came back, as it was shown. */
export const recalledSchema = z.object({
  block: blockIdSchema,
  score: z.number(),
  exact: z.boolean(),
  why: z.string().max(2_000),
})

/** A page of a cold document that came back, as it was shown. */
export const recalledPageSchema = z.object({
  doc: documentIdSchema,
  page: z.int().nonnegative().max(MAX_PAGE),
  score: z.number(),
  exact: z.boolean(),
  why: z.string().max(2_000),
})

/**
 * `hologram/recall`: what was asked, what came back, and which message carried it. The question itself stays in the
 * log it came from; only its hash and the symbols that pinned something (they are in memory anyway) are repeated.
 * It counts as injected only when the log holds the message.
 */
export const recallSchema = z.object({
  v: z.literal(RECALL_VERSION),
  ...envelopeShape,
  mode: z.enum(['inject', 'tool', 'api']),
  query: z.object({ hash: z.string().max(64), chars: z.int().nonnegative(), symbols: z.array(z.string()).max(64) }),
  hits: z.array(recalledSchema).max(200),
  pages: z.array(recalledPageSchema).max(100).optional(),
  message: z.string().max(200).optional(),
  /** Estimated tokens of that message; what budgets are counted in. */
  tokens: z.int().nonnegative().max(MAX_TOKENS).optional(),
  outcome: z.string().max(100),
  degraded: z.array(z.string().max(200)).max(20),
})

export type RecallEvent = z.infer<typeof recallSchema>
export type RecalledPage = z.infer<typeof recalledPageSchema>
export type Recalled = z.infer<typeof recalledSchema>
