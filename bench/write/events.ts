import { newEventId, type StoredEvent } from '../../src/events/index.ts'
import { fact } from './texts.ts'

/** The n-th of many commits, as a log or a journal holds it. */
export function commitEvent(n: number): StoredEvent {
  const data = {
    v: 1,
    id: newEventId(),
    clock: n + 1,
    ns: { id: `ns_${'b'.repeat(24)}`, label: 'bench' },
    at: { session: `s${n % 50}`, turn: n % 7, time: 1_700_000_000_000 + n },
    text: fact(n),
    origin: 'tool',
  }
  return { type: 'hologram/commit', data, seq: n }
}
