import { z } from 'zod'
import { envelopeShape, type Namespace, readEvent, type StoredEvent } from '../../events/index.ts'

/** What has to be known of an event to carry it elsewhere. */
export interface Carried {
  readonly id: string
  readonly clock: number
  readonly ns: Namespace
  /** Whether it acts in every namespace, not only in its own. */
  readonly everywhere: boolean
  /** Whether this version of us can use it. */
  readonly readable: boolean
}

const { id, clock, ns } = envelopeShape
const envelopeSchema = z.looseObject({ id, clock, ns, everywhere: z.unknown().optional() })

/**
 * The envelope of an event, or why it is not carried. An event of a newer version of us is carried, unread, as long as
 * its envelope is one: who has that version can use it.
 */
export function envelopeOf(event: StoredEvent): Carried | { readonly reason: string } {
  const read = readEvent(event.type, event.data)
  if (read.kind === 'foreign') return { reason: 'foreign' }
  if (read.kind === 'skipped' && read.reason === 'malformed') return { reason: read.reason }
  const envelope = envelopeSchema.safeParse(event.data)
  if (!envelope.success) return { reason: 'malformed' }
  const { id, clock, ns, everywhere } = envelope.data
  return { id, clock, ns, everywhere: everywhere === true, readable: read.kind === 'event' }
}
