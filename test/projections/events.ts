/** Session events for folds, and arbitrary streams of them: under every name, with noise and rubbish between. */
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { blockId, type PayloadOf, type Verb } from '../../src/events/index.ts'
import { commit, eventId, payload, space } from '../events/samples.ts'

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

const text = fc.constantFrom(...TEXTS)
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('commit' as const), text }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('space' as const) }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('purge' as const), text }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('merge' as const), text, other: text }) },
)

type Act = typeof act extends fc.Arbitrary<infer Done> ? Done : never

function actEvent(name: string, { clock, n }: { clock: number; n: number }, done: Act): SessionEvent {
  const at = { clock, id: eventId(n) }
  switch (done.verb) {
    case 'commit':
      return sessionEvent(`${name}commit`, commit({ ...at, text: done.text }))
    case 'space':
      return sessionEvent(`${name}space`, space({ ...at, fingerprint: `f${n}`, dimension: n + 1 }))
    case 'purge':
      return sessionEvent(`${name}purge`, { ...payload('purge'), ...at, ids: [blockId(done.text)] })
    case 'merge':
      return sessionEvent(`${name}merge`, {
        ...payload('merge'),
        ...at,
        keep: blockId(done.other),
        drop: blockId(done.text),
      })
  }
}

const memory = fc
  .record({ prefix, order, act })
  .map(({ prefix: name, order: at, act: done }) => actEvent(name, at, done))

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
