import { z } from 'zod'
import { MAX_CLOCK } from './clock.ts'
import { isEventId } from './id.ts'

const label = z.string().max(200)

/** The namespace an event acts in: an opaque id (a hash, never a path) and a label for people. */
export const namespaceSchema = z.object({ id: z.string().regex(/^ns_[0-9a-f]{24}$/), label })

/**
 * Where and when it was said. Nested on purpose: the web client reads `turn` and `step` at the top level of any event
 * as its place in the conversation. `time` is Unix milliseconds and only a label; order is (`clock`, `id`).
 */
export const placeSchema = z.object({
  session: z.string().min(1).max(500).optional(),
  turn: z.int().nonnegative().optional(),
  step: z.int().nonnegative().optional(),
  time: z.int(),
})

/** The members every payload of ours has. */
export const envelopeShape = {
  id: z.string().refine(isEventId, 'not an event id'),
  clock: z.int().positive().max(MAX_CLOCK),
  ns: namespaceSchema,
  at: placeSchema,
}

export type Namespace = z.infer<typeof namespaceSchema>
export type Place = z.infer<typeof placeSchema>
