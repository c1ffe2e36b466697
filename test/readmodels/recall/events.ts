/** Events of edges, merges and purges among blocks named by their texts. */
import {
  blockId,
  type LinkEvent,
  type MergeEvent,
  type PurgeEvent,
  type StoredEvent,
  type UnlinkEvent,
} from '../../../src/events/index.ts'
import { eventId, NS_A } from '../../support/events.ts'

const envelope = (n: number) => ({
  v: 1 as const,
  id: eventId(n),
  clock: n,
  ns: NS_A,
  at: { session: 's1', time: 1_700_000_000_000 + n },
  origin: 'tool' as const,
})

export function link(n: number, from: string, to: string, over: Partial<LinkEvent> = {}): StoredEvent {
  const ends = { sourceKind: 'block', sourceId: blockId(from), targetKind: 'block', targetId: blockId(to) } as const
  const data: LinkEvent = { ...envelope(n), ...ends, type: 'relates', ...over }
  return { type: 'hologram/link', data }
}

export function unlink(n: number, from: string, to: string): StoredEvent {
  const ends = { sourceKind: 'block', sourceId: blockId(from), targetKind: 'block', targetId: blockId(to) } as const
  const data: UnlinkEvent = { ...envelope(n), ...ends, type: 'relates' }
  return { type: 'hologram/unlink', data }
}

export function merge(n: number, keep: string, drop: string, over: Partial<MergeEvent> = {}): StoredEvent {
  const data: MergeEvent = { ...envelope(n), keep: blockId(keep), drop: blockId(drop), ...over }
  return { type: 'hologram/merge', data }
}

export function purge(n: number, texts: readonly string[]): StoredEvent {
  const data: PurgeEvent = { ...envelope(n), ids: texts.map(blockId), reason: 'test' }
  return { type: 'hologram/purge', data }
}
