import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockId, compareOrder, type Order, readEvent } from '../../src/events/index.ts'
import { type BlocksState, blocksUnit, saidHere } from '../../src/projections/index.ts'
import { lookup } from '../../src/projections/shards.ts'
import { commit, eventId, recall, space } from '../events/samples.ts'
import { foreign, inLog, memoryEvents, ours, retold, rubbish, sessionEvent, TEXTS } from './events.ts'

const fold = (events: readonly SessionEvent[], from = blocksUnit.init()): BlocksState =>
  events.reduce((state, event) => blocksUnit.apply(state, event), from)

/** The slow and obvious fold: keep everything, sort, take the last. */
function reference(events: readonly SessionEvent[]) {
  const reads = events.map(event => readEvent(event.type, event.data))
  const memory = reads.flatMap(read => (read.kind === 'event' ? [read.event] : []))
  const said = new Map<string, Order>()
  const living = new Map<string, Order>()
  const purged = new Set<string>()
  const merged = new Set<string>()
  for (const { verb, data } of memory.toSorted((a, b) => compareOrder(a.data, b.data))) {
    const order = { clock: data.clock, id: data.id }
    if (verb === 'commit') {
      said.set(blockId(data.text), order)
      living.set(blockId(data.text), order)
    }
    if (verb === 'purge') {
      for (const id of data.ids) {
        purged.add(id)
        living.delete(id)
      }
    }
    if (verb === 'merge') merged.add(data.drop)
  }
  return {
    living,
    counts: { said: said.size, purged: purged.size, merged: merged.size },
    clock: Math.max(0, ...memory.map(event => event.data.clock)),
    skipped: reads.filter(read => read.kind === 'skipped').length,
  }
}

/** What the state says of every block that could be in it, in the reference's terms. */
function saidIn(state: BlocksState): Map<string, Order> {
  const found = new Map<string, Order>()
  for (const id of new Set(TEXTS.map(blockId))) {
    const [clock = '', event = ''] = lookup(state.said, id)?.split('.') ?? []
    if (saidHere(state, id)) found.set(id, { clock: Number.parseInt(clock, 36), id: event })
  }
  return found
}

describe('the blocks of a session', () => {
  it('are what the naive fold says, also with noise and rubbish between', () => {
    const log = fc
      .tuple(memoryEvents, fc.array(fc.oneof(rubbish, foreign), { maxLength: 10 }))
      .chain(([memory, noise]) => retold([...memory, ...noise]))
    fc.assert(
      fc.property(log, events => {
        const state = fold(inLog(events))
        const expected = reference(events)
        expect(saidIn(state)).toEqual(expected.living)
        expect(blocksUnit.view(state)).toEqual({
          ...expected.counts,
          clock: expected.clock,
          skipped: expected.skipped,
        })
      }),
    )
  })

  it('do not depend on the order of the events, nor on seeing one twice', () => {
    fc.assert(
      fc.property(
        memoryEvents.chain(events => fc.tuple(fc.constant(events), retold(events))),
        ([once, again]) => {
          expect(saidIn(fold(again))).toEqual(saidIn(fold(once)))
          expect(blocksUnit.view(fold(again))).toEqual(blocksUnit.view(fold(once)))
        },
      ),
    )
  })

  it('an event that changes nothing gives the same state back, not an equal one', () => {
    const events = [ours('commit', commit()), ours('space', space({ clock: 9 })), ours('recall', recall({ clock: 8 }))]
    const state = fold(events)
    for (const event of events) expect(blocksUnit.apply(state, event)).toBe(state)
    const foreignEvents = ['turn/start', 'other/plugin', 'user/message'].map(type => sessionEvent(type, {}))
    for (const event of foreignEvents) expect(blocksUnit.apply(state, event)).toBe(state)
  })

  it('applying leaves the state before as it was', () => {
    fc.assert(
      fc.property(memoryEvents, events => {
        let state = blocksUnit.init()
        for (const event of events) {
          const before = structuredClone(state)
          const next = blocksUnit.apply(state, event)
          expect(state).toEqual(before)
          state = next
        }
      }),
    )
  })

  it('a cached state goes on as if it had never been away', () => {
    fc.assert(
      fc.property(memoryEvents, fc.nat(40), (events, cut) => {
        const cached = JSON.parse(JSON.stringify(fold(events.slice(0, cut)))) as BlocksState
        expect(blocksUnit.isState(cached)).toBe(true)
        expect(fold(events.slice(cut), cached)).toEqual(fold(events))
      }),
    )
  })
})

describe('at 10,000 blocks', () => {
  const events = Array.from({ length: 10_000 }, (_, n) =>
    ours('commit', commit({ id: eventId(n), clock: n + 1, text: `fact ${n}` })),
  )
  const state = fold(events)

  it('the state is plain JSON: a fixed number of strings and a few counts', () => {
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(structuredClone(state)).toEqual(state)
    expect(Object.keys(state).sort()).toEqual(['clock', 'counts', 'merged', 'purged', 'said', 'skipped'])
    expect(state.said).toHaveLength(256)
    expect(state.said.every(shard => typeof shard === 'string')).toBe(true)
    for (const n of [0, 4_999, 9_999]) expect(saidHere(state, blockId(`fact ${n}`))).toBe(true)
    expect(saidHere(state, blockId('fact 10000'))).toBe(false)
  })

  it('one commit, new or repeated, rewrites one shard, and shards stay of a size', () => {
    for (const text of ['fact 10000', 'fact 77']) {
      const next = blocksUnit.apply(state, ours('commit', commit({ id: eventId(99_999), clock: 99_999, text })))
      const changed = next.said.filter((shard, at) => shard !== state.said[at])
      expect(changed).toHaveLength(1)
      expect(changed[0]).toContain(`${blockId(text)}=`)
    }
    const average = state.said.join('').length / 256
    expect(Math.max(...state.said.map(shard => shard.length))).toBeLessThan(average * 2.5)
  })

  it('the view is as small as it is for one', () => {
    const one = JSON.stringify(blocksUnit.view(fold(events.slice(0, 1))))
    const many = JSON.stringify(blocksUnit.view(state))
    expect(many.length - one.length).toBeLessThanOrEqual('10000'.length * 2)
  })
})
