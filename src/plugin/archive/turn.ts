import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { TurnSaid } from '../../commands/index.ts'
import { isOurs, readEvent, readSaid, type Said } from '../../events/index.ts'

/** Where a turn stands in a session's log, and how it ended. */
export interface TurnSpan {
  readonly doc: string
  /** Seqs of its beginning and of the last event that counts. */
  readonly from: number
  readonly to: number
  readonly ended: string
}

/**
 * Reads a turn out of events of its log, in their order, with the name that an earlier event of its document gave it.
 *
 * @param events from the beginning of the turn; those after its end are passed over
 */
export function readTurn(events: Iterable<SessionEvent>, { doc, from, to, ended }: TurnSpan): TurnSaid {
  const said: Said[] = []
  let named: TurnSaid['named']
  let turn: number | undefined
  for (const event of events) {
    if (event.seq > to) break
    if (event.seq === from && event.type === 'turn/start') turn = event.data.turn
    if (isOurs(event.type)) named = nameIn(event, doc) ?? named
    const one = readSaid(event)
    if (one !== undefined) said.push(one)
  }
  return { said, turn, ended, named }
}

/** The events of a log from one seq on, but for chunks: most of it are these, and they say nothing. */
export function* eventsFrom(log: readonly SessionEvent[], from: number): Generator<SessionEvent> {
  for (let seq = from; seq < log.length; seq++) {
    const event = log[seq]
    if (event !== undefined && event.type !== 'assistant/chunk') yield event
  }
}

function nameIn(event: SessionEvent, doc: string): TurnSaid['named'] {
  const read = readEvent(event.type, event.data)
  if (read.kind !== 'event' || read.event.verb !== 'archive') return undefined
  const { doc: named, named: chosen, title, tags } = read.event.data
  return named === doc && chosen === true ? { title, tags } : undefined
}
