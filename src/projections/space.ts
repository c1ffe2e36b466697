import { z } from 'zod'
import { compareOrder, type Order, readEvent } from '../events/index.ts'
import type { Unit } from './unit.ts'

/** The vector space the session writes in: the one named last, in event order. */
export interface SpaceState {
  readonly space: (Order & { readonly fingerprint: string; readonly dimension: number }) | null
}

const stateSchema = z.object({
  space: z.object({ id: z.string(), clock: z.number(), fingerprint: z.string(), dimension: z.number() }).nullable(),
})
const viewSchema = z.object({ fingerprint: z.string().nullable(), dimension: z.number().nullable() })

export const spaceUnit: Unit<SpaceState, z.infer<typeof viewSchema>> = {
  key: 'hologram/space',
  stateVersion: 1,
  viewSchema,
  emptyView: { fingerprint: null, dimension: null },
  init: () => ({ space: null }),
  apply(state, event) {
    const read = readEvent(event.type, event.data)
    if (read.kind !== 'event' || read.event.verb !== 'space') return state
    const { id, clock, fingerprint, dimension } = read.event.data
    if (state.space !== null && compareOrder(state.space, { id, clock }) >= 0) return state
    return { space: { id, clock, fingerprint, dimension } }
  },
  view: ({ space }) => ({ fingerprint: space?.fingerprint ?? null, dimension: space?.dimension ?? null }),
  isState: (value): value is SpaceState => stateSchema.safeParse(value).success,
}
