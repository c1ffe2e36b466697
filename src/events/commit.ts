import { z } from 'zod'
import { envelopeShape } from './envelope.ts'

export const COMMIT_VERSION = 1

/** Who asked for a commit. */
export const ORIGINS = ['tool', 'api', 'command', 'archive', 'distill', 'import'] as const

const field = z.string().max(500).optional()

/**
 * When and where a text was said, where that is not when and where it was committed. `ts` is Unix milliseconds. With a
 * `pageSeq` it is a line of a conversation, and is ranked together with what was said around it; without one it stands
 * for itself.
 */
export const frameSchema = z.object({
  ts: z.int().optional(),
  pageSeq: z.int().nonnegative().optional(),
  pageKind: field,
  role: field,
  callId: field,
  speaker: field,
  /** The conversation the line belongs to, where that is not the session the commit was made in. */
  conversation: field,
})

/**
 * `hologram/commit`: what one commit says, never a merged whole. The fold merges: empty never overwrites, the later
 * commit wins field by field. The block id is not in it: it follows from the text.
 */
export const commitSchema = z.object({
  v: z.literal(COMMIT_VERSION),
  ...envelopeShape,
  text: z.string().min(1),
  source: field,
  tool: field,
  scene: field,
  semanticType: field,
  origin: z.enum(ORIGINS),
  /** Kinds of secrets that were removed from the text before it was written here. */
  redacted: z.array(z.string().max(100)).max(50).optional(),
  frame: frameSchema.optional(),
  /** The vector, base64 of float32 little-endian, with the fingerprint of its space. */
  vector: z.object({ space: z.string().min(1).max(500), data: z.base64() }).optional(),
  /** Why there is no vector. */
  noVector: z.string().max(200).optional(),
})

export type CommitEvent = z.infer<typeof commitSchema>
export type Origin = (typeof ORIGINS)[number]
export type Frame = z.infer<typeof frameSchema>
