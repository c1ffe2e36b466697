/** Valid payloads of every family, each as small as its schema allows, with what a test cares about laid over. */
import type { CommitEvent, EmbedEvent, PayloadOf, RecallEvent, SpaceEvent, Verb } from '../../src/events/index.ts'
import { blockId, documentId } from '../../src/events/index.ts'

/** A valid event id that sorts as its number does. */
export function eventId(n: number): string {
  return `evt_${String(n).padStart(26, '0')}`
}

const ns = { id: `ns_${'0'.repeat(24)}`, label: 'test' }
const at = { time: 1_700_000_000_000 }

export function space(over: Partial<SpaceEvent> = {}): SpaceEvent {
  return { v: 1, id: eventId(1), clock: 1, ns, at, fingerprint: 'f', dimension: 3, provider: '', model: '', ...over }
}

export function commit(over: Partial<CommitEvent> = {}): CommitEvent {
  return { v: 1, id: eventId(2), clock: 2, ns, at, text: 'the cat is called Mimi', origin: 'tool', ...over }
}

export function recall(over: Partial<RecallEvent> = {}): RecallEvent {
  const hit = { block: blockId('the cat is called Mimi'), score: 1, exact: false, why: 'words' }
  const query = { hash: 'h', chars: 3, symbols: [] }
  return {
    v: 1,
    id: eventId(3),
    clock: 3,
    ns,
    at,
    mode: 'inject',
    query,
    hits: [hit],
    outcome: '',
    degraded: [],
    ...over,
  }
}

export function embed(over: Partial<EmbedEvent> = {}): EmbedEvent {
  const target = { kind: 'block', id: blockId('the cat is called Mimi') } as const
  const declared = { fingerprint: 'f', dimension: 3, provider: '', model: '' }
  return { v: 1, id: eventId(8), clock: 8, ns, at, target, space: declared, data: 'AACAPwAAAAAAAAAA', ...over }
}

const edge = { sourceKind: 'block', sourceId: 'a', targetKind: 'entity', targetId: 'b', type: 'mentions' } as const
const common = { v: 1, ns, at, origin: 'tool' } as const
const [one, two] = [blockId('one'), blockId('two')]

/** A valid payload of every family. */
const PAYLOADS: { readonly [V in Verb]: PayloadOf<V> } = {
  space: space(),
  commit: commit(),
  embed: embed(),
  link: { ...common, ...edge, id: eventId(4), clock: 4 },
  unlink: { ...common, ...edge, id: eventId(5), clock: 5 },
  merge: { ...common, id: eventId(6), clock: 6, keep: one, drop: two },
  purge: { ...common, id: eventId(7), clock: 7, ids: [one], reason: '' },
  archive: {
    ...common,
    id: eventId(9),
    clock: 9,
    doc: documentId('m1'),
    title: 'a turn',
    tags: [],
    messages: ['m1'],
    calls: [],
    ended: 'stopping',
  },
  recall: recall(),
  distill: { v: 1, ns, at, id: eventId(10), clock: 10, doc: documentId('m1'), blocks: [one], by: 'rules' },
}

export function payload(verb: Verb): PayloadOf<Verb> {
  return PAYLOADS[verb]
}
