import { z } from 'zod'
import { blockId, compareOrder, type Order, readEvent } from '../events/index.ts'
import { emptyShards, ids, lookup, type Shards, store } from './shards.ts'
import type { Unit } from './unit.ts'

/** What this session has said, by block id, and the highest clock of any event of ours in it. */
export interface BlocksState {
  /** Block id → order of its latest commit here, packed. */
  readonly said: Shards
  readonly count: number
  readonly clock: number
  /** Events that bear our name and could not be read. */
  readonly skipped: number
}

const stateSchema = z.object({
  said: z.array(z.string()),
  count: z.number(),
  clock: z.number(),
  skipped: z.number(),
})
const viewSchema = z.object({ said: z.number(), clock: z.number(), skipped: z.number() })

export const blocksUnit: Unit<BlocksState, z.infer<typeof viewSchema>> = {
  key: 'hologram/blocks',
  stateVersion: 1,
  viewSchema,
  emptyView: { said: 0, clock: 0, skipped: 0 },
  init: () => ({ said: emptyShards(), count: 0, clock: 0, skipped: 0 }),
  apply(state, event) {
    const read = readEvent(event.type, event.data)
    if (read.kind === 'foreign') return state
    if (read.kind === 'skipped') return { ...state, skipped: state.skipped + 1 }
    const clock = Math.max(state.clock, read.event.data.clock)
    if (read.event.verb !== 'commit') return clock === state.clock ? state : { ...state, clock }
    const id = blockId(read.event.data.text)
    const before = lookup(state.said, id)
    if (before !== undefined && compareOrder(unpack(before), read.event.data) >= 0) {
      return clock === state.clock ? state : { ...state, clock }
    }
    return {
      ...state,
      said: store(state.said, id, pack(read.event.data)),
      count: state.count + (before === undefined ? 1 : 0),
      clock,
    }
  },
  view: ({ count, clock, skipped }) => ({ said: count, clock, skipped }),
  isState: (value): value is BlocksState => stateSchema.safeParse(value).success,
}

/** Whether the session has committed this block. */
export function saidHere(state: BlocksState, id: string): boolean {
  return lookup(state.said, id) !== undefined
}

/** Ids of all blocks the session has committed. */
export function saidBlocks(state: BlocksState): string[] {
  return ids(state.said)
}

function pack({ clock, id }: Order): string {
  return `${clock.toString(36)}.${id}`
}

function unpack(value: string): Order {
  const dot = value.indexOf('.')
  return { clock: Number.parseInt(value.slice(0, dot), 36), id: value.slice(dot + 1) }
}
