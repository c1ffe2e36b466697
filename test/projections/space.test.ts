import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareOrder, readEvent } from '../../src/events/index.ts'
import { spaceUnit } from '../../src/projections/index.ts'
import { commit, eventId, space } from '../events/samples.ts'
import { foreign, memoryEvents, ours, retold, rubbish } from './events.ts'

const fold = (events: readonly SessionEvent[]) =>
  events.reduce((state, event) => spaceUnit.apply(state, event), spaceUnit.init())

/** The space named last in event order. */
function reference(events: readonly SessionEvent[]) {
  const spaces = events.flatMap(({ type, data }) => {
    const read = readEvent(type, data)
    return read.kind === 'event' && read.event.verb === 'space' ? [read.event.data] : []
  })
  const last = spaces.toSorted(compareOrder).at(-1)
  return { fingerprint: last?.fingerprint ?? null, dimension: last?.dimension ?? null }
}

describe('the vector space of a session', () => {
  it('is the one named last in event order, in whatever order and however often the events are met', () => {
    const log = fc
      .tuple(memoryEvents, fc.array(fc.oneof(rubbish, foreign), { maxLength: 10 }))
      .chain(([memory, noise]) => retold([...memory, ...noise]))
    fc.assert(
      fc.property(log, events => {
        expect(spaceUnit.view(fold(events))).toEqual(reference(events))
      }),
    )
  })

  it('an event that changes nothing gives the same state back', () => {
    const state = fold([ours('space', space({ clock: 5 }))])
    for (const event of [
      ours('space', space({ clock: 5 })),
      ours('space', space({ clock: 4, id: eventId(99) })),
      ours('commit', commit({ clock: 9 })),
    ]) {
      expect(spaceUnit.apply(state, event)).toBe(state)
    }
  })

  it('its state is plain JSON, and its view of a bounded size', () => {
    const state = fold([ours('space', space({ fingerprint: 'f'.repeat(500) }))])
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(JSON.stringify(spaceUnit.view(state)).length).toBeLessThan(600)
  })
})
