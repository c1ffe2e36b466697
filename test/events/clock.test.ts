import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareOrder, LamportClock, MAX_CLOCK, newEventId, readEvent } from '../../src/events/index.ts'
import { commit, eventId } from './samples.ts'

describe('the Lamport clock', () => {
  it('starts at 0 and ticks to 1', () => {
    const clock = new LamportClock()
    expect(clock.value).toBe(0)
    expect(clock.tick()).toBe(1)
    expect(clock.value).toBe(1)
  })

  it('goes on above what it was given', () => {
    expect(new LamportClock(41).tick()).toBe(42)
  })

  it('every tick is above everything seen and issued before', () => {
    const step = fc.oneof(fc.constant('tick' as const), fc.nat(1_000_000))
    fc.assert(
      fc.property(fc.array(step), steps => {
        const clock = new LamportClock()
        let highest = 0
        for (const next of steps) {
          if (next === 'tick') expect(clock.tick()).toBe(highest + 1)
          else clock.observe(next)
          highest = next === 'tick' ? highest + 1 : Math.max(highest, next)
          expect(clock.value).toBe(highest)
        }
      }),
    )
  })

  it.each([
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    MAX_CLOCK + 1,
    Number.MAX_SAFE_INTEGER,
    '7',
    7n,
    null,
    undefined,
    {},
    [9],
  ])('is not moved by %o', seen => {
    const clock = new LamportClock(3)
    clock.observe(seen)
    expect(clock.value).toBe(3)
    expect(new LamportClock(seen as number).value).toBe(0)
  })

  it('at its end it stays valid: one hostile event cannot make all later ones unreadable', () => {
    const clock = new LamportClock(3)
    clock.observe(MAX_CLOCK)
    for (let n = 0; n < 3; n++) {
      const read = readEvent('hologram/commit', commit({ clock: clock.tick() }))
      expect(read.kind).toBe('event')
    }
  })
})

describe('the order of events', () => {
  const order = fc.record({ clock: fc.integer({ min: 1, max: 4 }), id: fc.integer({ min: 0, max: 4 }).map(eventId) })

  it('is total: exactly one of before, same and after, and same only for the same', () => {
    fc.assert(
      fc.property(order, order, (a, b) => {
        const there = Math.sign(compareOrder(a, b))
        expect(there + Math.sign(compareOrder(b, a))).toBe(0)
        expect(there === 0).toBe(a.clock === b.clock && a.id === b.id)
      }),
    )
  })

  it('is transitive', () => {
    fc.assert(
      fc.property(order, order, order, (a, b, c) => {
        if (compareOrder(a, b) <= 0 && compareOrder(b, c) <= 0) expect(compareOrder(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1_000 },
    )
  })

  it('sorts any shuffle to one sequence', () => {
    const shuffled = fc
      .uniqueArray(order, { selector: o => `${o.clock} ${o.id}`, minLength: 2 })
      .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(other.toSorted(compareOrder)).toEqual(list.toSorted(compareOrder))
      }),
    )
  })

  it('the clock decides first, then the id', () => {
    expect(compareOrder({ clock: 1, id: eventId(9) }, { clock: 2, id: eventId(1) })).toBeLessThan(0)
    expect(compareOrder({ clock: 2, id: eventId(1) }, { clock: 2, id: eventId(9) })).toBeLessThan(0)
  })

  it('clocks are compared as numbers, ids as plain strings in every locale', () => {
    expect(compareOrder({ clock: 9, id: 'a' }, { clock: 10, id: 'a' })).toBeLessThan(0)
    expect(compareOrder({ clock: 1, id: 'B' }, { clock: 1, id: 'a' })).toBeLessThan(0)
  })
})

describe('event ids', () => {
  it('of one process rise, also within one millisecond', () => {
    const ids = Array.from({ length: 2_000 }, newEventId)
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are what the reader accepts', () => {
    expect(readEvent('hologram/commit', commit({ id: newEventId() })).kind).toBe('event')
  })
})
