import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ArchiveEvent } from '../../src/events/index.ts'
import { archiveUnit, blocksUnit, recallUnit, spaceUnit, total, type Unit } from '../../src/projections/index.ts'
import { commit, payload, recall, space } from '../events/samples.ts'
import { ours, sessionEvent } from './events.ts'

/** The units with their types worn off, as a registry sees them. */
const UNITS = [spaceUnit, blocksUnit, recallUnit, archiveUnit] as unknown as ReadonlyArray<Unit<unknown, unknown>>

const EVENTS = [
  ours('space', space()),
  ours('commit', commit()),
  ours('recall', recall({ message: 'm' })),
  sessionEvent('user/message', { id: 'm' }),
  sessionEvent('turn/start', { turn: 1 }),
  sessionEvent('turn/end', { turn: 1, reason: { kind: 'aborted' } }),
  ours('archive', payload('archive') as ArchiveEvent),
]

/** States that a cache of another version, a torn write or a hostile hand may hand back. */
const GARBAGE: readonly unknown[] = [
  undefined,
  null,
  0,
  'state',
  [],
  {},
  { space: { fingerprint: 5, dimension: 'three' } },
  { space: { clock: 'x', id: 3 } },
  { space: 'f' },
  { said: [1, null, {}], count: 1, clock: 1, skipped: 0 },
  { said: [], count: Number.NaN, clock: Number.POSITIVE_INFINITY, skipped: 0 },
  { said: 'text', count: '1', clock: null, skipped: 0 },
  { said: { length: 256 }, count: 1, clock: 1, skipped: 0 },
  { entries: [1, null, {}] },
  { entries: 'many' },
  { entries: { length: 3 } },
  { open: 5, docs: {}, counts: null },
  { open: { turn: 'x' }, docs: [1], counts: { documents: 'many' } },
]

describe.each(UNITS)('$key made total', unit => {
  const faults = vi.fn()
  const guarded = total(unit, faults)

  it('is the same unit where nothing is wrong', () => {
    faults.mockClear()
    let [plain, safe] = [unit.init(), guarded.init()]
    for (const event of EVENTS) {
      plain = unit.apply(plain, event)
      safe = guarded.apply(safe, event)
      expect(safe).toEqual(plain)
      expect(guarded.view(safe)).toEqual(unit.view(plain))
    }
    expect(faults).not.toHaveBeenCalled()
    expect(guarded).toMatchObject({ key: unit.key, stateVersion: unit.stateVersion })
  })

  it('gives the same state back for an event that is not its own', () => {
    const state = EVENTS.reduce<unknown>((before, event) => guarded.apply(before, event), guarded.init())
    expect(guarded.apply(state, sessionEvent('todo/write', { todos: [] }))).toBe(state)
  })

  it.each(GARBAGE)('begins anew from the garbage %j, and shows what its schema allows', garbage => {
    const fresh = EVENTS.reduce<unknown>((state, event) => guarded.apply(state, event), guarded.init())
    const healed = EVENTS.reduce<unknown>((state, event) => guarded.apply(state, event), garbage)
    expect(healed).toEqual(fresh)
    expect(() => unit.viewSchema.parse(guarded.view(garbage))).not.toThrow()
    expect(() => unit.viewSchema.parse(guarded.view(healed))).not.toThrow()
  })

  it('never throws, whatever state and event it is handed', () => {
    const data = fc.oneof(fc.anything(), fc.constantFrom(...EVENTS.map(event => event.data)))
    const type = fc.oneof(fc.string(), fc.constantFrom(...EVENTS.map(event => event.type)))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.constantFrom(...GARBAGE)), type, data, (state, name, payload) => {
        const next = guarded.apply(state, sessionEvent(name, payload))
        unit.viewSchema.parse(guarded.view(next))
        unit.viewSchema.parse(guarded.view(state))
      }),
    )
  })

  it('what it shows in need is what it shows of nothing, and fits its schema', () => {
    expect(unit.viewSchema.parse(unit.emptyView)).toEqual(unit.view(unit.init()))
  })

  it('contains a fold that always throws: the state stays, the fault is told', () => {
    faults.mockClear()
    const broken = total({ ...unit, apply: () => fail('apply') }, faults)
    const state = unit.init()
    expect(broken.apply(state, EVENTS[0] ?? fail('no event'))).toBe(state)
    expect(faults.mock.calls).toEqual([[{ key: unit.key, where: 'apply', error: new Error('apply') }]])
  })

  it('contains a view that always throws, or that its schema refuses', () => {
    for (const view of [() => fail('view'), () => ({ nonsense: true }), () => undefined]) {
      faults.mockClear()
      const broken = total({ ...unit, view }, faults)
      expect(broken.view(unit.init())).toEqual(unit.emptyView)
      expect(faults.mock.calls).toEqual([[{ key: unit.key, where: 'view', error: expect.any(Error) }]])
    }
  })

  it('contains a report that throws in its turn', () => {
    const broken = total({ ...unit, apply: () => fail('apply'), view: () => fail('view') }, () => fail('report'))
    const state = unit.init()
    expect(broken.apply(state, EVENTS[0] ?? fail('no event'))).toBe(state)
    expect(broken.view(state)).toEqual(unit.emptyView)
  })

  it('contains a state whose getters throw', () => {
    const trap = new Proxy({}, { get: () => fail('get'), has: () => fail('has'), getPrototypeOf: () => fail('proto') })
    expect(() => guarded.apply(trap, EVENTS[0] ?? fail('no event'))).not.toThrow()
    expect(guarded.view(trap)).toEqual(unit.emptyView)
  })
})

function fail(message: string): never {
  throw new Error(message)
}
