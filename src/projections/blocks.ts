import { z } from 'zod'
import { blockId, compareOrder, type Order, readEvent } from '../events/index.ts'
import { emptyShards, ids, lookup, type Shards, store } from './shards.ts'
import type { Unit } from './unit.ts'

/** What this session has said, purged and merged, by block id, and the highest clock of any event of ours in it. */
export interface BlocksState {
  /** Block id → order of its latest commit here with its seq, and of its latest purge here; packed. */
  readonly said: Shards
  readonly purged: Shards
  /** Dropped id → order of its latest merge here, and the id that was kept; packed. */
  readonly merged: Shards
  readonly counts: { readonly said: number; readonly purged: number; readonly merged: number }
  readonly clock: number
  /** Events that bear our name and could not be read. */
  readonly skipped: number
}

const stateSchema = z.object({
  said: z.array(z.string()),
  purged: z.array(z.string()),
  merged: z.array(z.string()),
  counts: z.object({ said: z.number(), purged: z.number(), merged: z.number() }),
  clock: z.number(),
  skipped: z.number(),
})
/** Ids that were ever said, purged and merged here. */
const viewSchema = z.object({
  said: z.number(),
  purged: z.number(),
  merged: z.number(),
  clock: z.number(),
  skipped: z.number(),
})

export const blocksUnit: Unit<BlocksState, z.infer<typeof viewSchema>> = {
  key: 'hologram/blocks',
  stateVersion: 1,
  viewSchema,
  emptyView: { said: 0, purged: 0, merged: 0, clock: 0, skipped: 0 },
  init: () => ({
    said: emptyShards(),
    purged: emptyShards(),
    merged: emptyShards(),
    counts: { said: 0, purged: 0, merged: 0 },
    clock: 0,
    skipped: 0,
  }),
  apply(state, event) {
    const read = readEvent(event.type, event.data)
    if (read.kind === 'foreign') return state
    if (read.kind === 'skipped') return { ...state, skipped: state.skipped + 1 }
    const { data } = read.event
    const seen = data.clock > state.clock ? { ...state, clock: data.clock } : state
    switch (read.event.verb) {
      case 'commit':
        return mark(seen, 'said', blockId(read.event.data.text), data, `.${event.seq}`)
      case 'purge':
        return read.event.data.ids.reduce((next, id) => mark(next, 'purged', id, data), seen)
      case 'merge':
        return mark(seen, 'merged', read.event.data.drop, data, `.${read.event.data.keep}`)
      default:
        return seen
    }
  },
  view: ({ counts, clock, skipped }) => ({ ...counts, clock, skipped }),
  isState: (value): value is BlocksState => stateSchema.safeParse(value).success,
}

/** Remembers what happened to an id, if it is the latest of its kind; the same reference otherwise. */
function mark(
  state: BlocksState,
  kind: 'said' | 'purged' | 'merged',
  id: string,
  order: Order,
  detail = '',
): BlocksState {
  const before = lookup(state[kind], id)
  if (before !== undefined && compareOrder(unpack(before), order) >= 0) return state
  const shards = store(state[kind], id, pack(order) + detail)
  if (shards === state[kind]) return state
  const counts = before === undefined ? { ...state.counts, [kind]: state.counts[kind] + 1 } : state.counts
  return { ...state, [kind]: shards, counts }
}

/** Whether the session has committed this block, and not purged it since. */
export function saidHere(state: BlocksState, id: string): boolean {
  const said = lookup(state.said, id)
  const purged = lookup(state.purged, id)
  return said !== undefined && (purged === undefined || compareOrder(unpack(purged), unpack(said)) < 0)
}

/** Where a block was last said in this session: the id and seq of that commit; undefined when it was not. */
export function lastSaid(state: BlocksState, id: string): { readonly event: string; readonly seq: number } | undefined {
  const [, event, seq] = lookup(state.said, id)?.split('.') ?? []
  return event === undefined || seq === undefined ? undefined : { event, seq: Number(seq) }
}

/** Ids of all blocks the session has committed and not purged since, and of those they were merged into here. */
export function saidBlocks(state: BlocksState): string[] {
  const said = ids(state.said).filter(id => saidHere(state, id))
  const known = new Map<string, string>()
  return [...new Set(said.flatMap(id => [id, keptFor(state, id, known)]))]
}

/** The id that merges of this session have put in the place of another; itself when there is none. */
export function keptFor(state: BlocksState, id: string, known = new Map<string, string>()): string {
  const passed = new Set<string>()
  let current = id
  while (!passed.has(current)) {
    const end = known.get(current)
    if (end !== undefined) {
      current = end
      break
    }
    passed.add(current)
    current = lookup(state.merged, current)?.split('.')[2] ?? current
  }
  for (const one of passed) known.set(one, current)
  return current
}

function pack({ clock, id }: Order): string {
  return `${clock.toString(36)}.${id}`
}

function unpack(value: string): Order {
  const [clock = '', id = ''] = value.split('.')
  return { clock: Number.parseInt(clock, 36), id }
}
