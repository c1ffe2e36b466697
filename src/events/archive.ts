import { z } from 'zod'
import { shortHash } from './canonical.ts'
import { ORIGINS } from './commit.ts'
import { blockIdSchema } from './endpoints.ts'
import { envelopeShape } from './envelope.ts'

export const ARCHIVE_VERSION = 1
export const DISTILL_VERSION = 1

/** Most messages, and most calls, one document cites. */
export const MAX_CITED = 5_000
/** Highest number of a page in a document. */
export const MAX_PAGE = 100_000
export const MAX_TITLE = 200
export const MAX_TAGS = 8
export const MAX_TAG = 60

const DOCUMENT_ID = /^doc_[0-9a-f]{24}$/
export const documentIdSchema = z.string().regex(DOCUMENT_ID)

export function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && DOCUMENT_ID.test(value)
}

/** Document id of a turn, by the id of its first message: forks do not double it, and a turn that goes on keeps it. */
export function documentId(firstMessage: string): string {
  return `doc_${shortHash(firstMessage)}`
}

const cited = z.string().min(1).max(500)

/**
 * `hologram/archive`: a turn became a cold document. It cites the log by ids and holds no text of it but a title; a
 * later one of the same document replaces it.
 */
export const archiveSchema = z.object({
  v: z.literal(ARCHIVE_VERSION),
  ...envelopeShape,
  doc: documentIdSchema,
  title: z.string().max(MAX_TITLE),
  tags: z.array(z.string().max(MAX_TAG)).max(MAX_TAGS),
  /** Somebody chose the title; it is kept when the turn goes on. */
  named: z.literal(true).optional(),
  /** Ids of the human's and the model's messages, in log order. */
  messages: z.array(cited).min(1).max(MAX_CITED),
  /** Ids of tool calls; each stands for the call and its result. */
  calls: z.array(cited).max(MAX_CITED),
  /** Messages and calls beyond what one event cites. */
  uncited: z.int().nonnegative().optional(),
  /** Where they were in the log it was said in: seqs, both ends included. A hint. */
  span: z.object({ from: z.int().nonnegative(), to: z.int().nonnegative() }).optional(),
  /** How the turn ended so far: `stopping`, or the kind of its `turn/end`. */
  ended: z.string().max(60),
  origin: z.enum(ORIGINS),
})

/** `hologram/distill`: a cold document became these blocks; none when there was nothing to keep. */
export const distillSchema = z.object({
  v: z.literal(DISTILL_VERSION),
  ...envelopeShape,
  doc: documentIdSchema,
  blocks: z.array(blockIdSchema).max(100),
  by: z.enum(['rules', 'model']),
})

export type ArchiveEvent = z.infer<typeof archiveSchema>
export type DistillEvent = z.infer<typeof distillSchema>
