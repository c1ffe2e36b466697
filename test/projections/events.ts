/** Session events for folds, and arbitrary streams of them: under every name, with noise and rubbish between. */
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import type { PayloadOf, Verb } from '../../src/events/index.ts'
import { commit, eventId, space } from '../events/samples.ts'

export function sessionEvent(type: string, data: unknown, seq = 0): SessionEvent {
  return { type, seq, time: 1, data } as unknown as SessionEvent
}

export function ours<V extends Verb>(verb: V, data: PayloadOf<V>, seq = 0): SessionEvent {
  return sessionEvent(`hologram/${verb}`, data, seq)
}

/** Gives the events the seqs they have in a log in this order. */
export function inLog(events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((event, seq) => ({ ...event, seq }))
}

/** Few texts and few clocks, so that they meet; some texts differ only in what an id does not see. */
export const TEXTS = ['port is 8080', 'port  is 8080\n', 'Port is 8080', 'café', 'café'.normalize('NFD'), '端口', '埠']

const prefix = fc.constantFrom('hologram/', 'plugin:hologram/', 'plugin:dsh-hologram/')
const order = fc.record({ clock: fc.integer({ min: 1, max: 5 }), n: fc.integer({ min: 0, max: 60 }) })

const memory = fc
  .record({ prefix, order, text: fc.constantFrom(...TEXTS), space: fc.boolean() })
  .map(({ prefix: name, order: { clock, n }, text, space: isSpace }) =>
    isSpace
      ? sessionEvent(`${name}space`, space({ clock, id: eventId(n), fingerprint: `f${n}`, dimension: n + 1 }))
      : sessionEvent(`${name}commit`, commit({ clock, id: eventId(n), text })),
  )

/** Memory events, each id once. */
export const memoryEvents = fc.uniqueArray(memory, {
  selector: event => (event.data as { id: string }).id,
  maxLength: 40,
})

/** What bears our name and cannot be read. */
export const rubbish = fc.constantFrom(
  sessionEvent('hologram/commit', null),
  sessionEvent('hologram/commit', { ...commit(), v: 7 }),
  sessionEvent('plugin:hologram/space', { ...space(), dimension: 'three' }),
  sessionEvent('hologram/dream', {}),
)

/** What is not ours. */
export const foreign = fc.constantFrom(
  sessionEvent('turn/start', { turn: 1 }),
  sessionEvent('user/message', { id: 'm' }),
  sessionEvent('other/plugin', { v: 1, text: 'hologram/commit' }),
)

/** The same events in another order, some of them twice. */
export function retold(events: readonly SessionEvent[]): fc.Arbitrary<SessionEvent[]> {
  const all = [...events]
  return fc
    .tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all))
    .chain(([order, again]) => fc.shuffledSubarray([...order, ...again], { minLength: order.length + again.length }))
}
