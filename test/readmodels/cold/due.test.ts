/** What has cooled: by a clock of the memory's own, and by what was asked for on purpose. */
import { afterEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { eventId, NS_A, recalled } from '../../support/events.ts'
import { archiveOf, makeTurn } from '../../support/turns.ts'
import { closeStores, newHome, store } from '../worker/stores.ts'
import { materialOf } from './logs.ts'

afterEach(closeStores)

const HOUR = 3_600_000
const AGE = 72 * HOUR
const START = 1_700_000_000_000

/** A store with a document archived at each of these hours after the start, in this order. */
function archivedAt(...hours: readonly number[]) {
  const one = store({ ...newHome(), path: ':memory:' })
  const docs = hours.map((hour, index) => {
    const n = index + 1
    const turn = makeTurn(
      {
        prompt: [`the port of service ${n} is ${8000 + n}`],
        steps: [{ steering: [], text: 'noted', calls: [], reversed: false, chunks: 0 }],
        injected: false,
        compaction: false,
      },
      n,
    )
    const event = archiveOf(turn, n, 's1', { at: { session: 's1', turn: n, time: START + hour * HOUR } })
    one.fold([{ type: 'hologram/archive', data: event }])
    one.supply([materialOf(event, 's1', turn.events)])
    return event.doc
  })
  return { one, docs }
}

const due = (one: Store, hour: number, over = {}) =>
  one.due({ age: AGE, accesses: 2, now: START + hour * HOUR, limit: 10, ...over }).map(({ doc }) => doc)

const access = (n: number, doc: string, mode: 'tool' | 'inject'): StoredEvent =>
  recalled(n, [], { mode, pages: [{ doc, page: 0, score: 1, exact: false, why: '' }] })

const distilled = (n: number, doc: string): StoredEvent => ({
  type: 'hologram/distill',
  data: { v: 1, id: eventId(n), clock: n, ns: NS_A, at: { time: START }, doc, blocks: [], by: 'rules' },
})

describe('a document cools', () => {
  it('when it is older than the age by days on which something was archived', () => {
    const { one, docs } = archivedAt(0, 20, 40, 60)
    expect(due(one, 71)).toEqual([])
    expect(due(one, 72)).toEqual([docs[0]])
    expect(due(one, 61 + 24)).toEqual([docs[0]])
  })

  it('not of a wall clock that jumps a year ahead, nor of one that goes back', () => {
    const year = 365 * 24
    const { one, docs } = archivedAt(0, 1, 2)
    expect(due(one, year)).toEqual([])
    const jumped = archivedAt(0, 1, year, year + 1)
    expect(due(jumped.one, year + 2)).toEqual([])
    // The jump counted as a day; two more days of use cool what was there before it.
    const later = archivedAt(0, 1, year, year + 24, year + 47)
    expect(due(later.one, year + 47)).toEqual([later.docs[0]])
    const back = archivedAt(100, 0, 10)
    expect(due(back.one, 20)).toEqual([])
    expect(due(one, -1_000)).toEqual([])
    expect(docs).toHaveLength(3)
  })

  it('unless it was asked for on purpose more often; what was put before the model unasked does not count', () => {
    const { one, docs } = archivedAt(0, 24, 48)
    const [doc = ''] = docs
    one.fold([1, 2, 3, 4, 5].map(n => access(10 + n, doc, 'inject')))
    expect(due(one, 73)).toEqual([doc])
    one.fold([access(20, doc, 'tool'), access(21, doc, 'tool')])
    expect(due(one, 73)).toEqual([doc])
    one.fold([access(22, doc, 'tool')])
    expect(due(one, 73)).toEqual([])
    expect(one.document({ doc })?.accesses).toBe(3)
  })

  it('once: what was distilled is done, until its turn goes on', () => {
    const { one, docs } = archivedAt(0, 24, 48)
    const [doc = ''] = docs
    one.fold([distilled(30, doc)])
    expect(due(one, 73)).toEqual([])
    expect(one.document({ doc })?.distilled).toBe(true)
    expect(one.stats().documents.distilled).toBe(1)
  })

  it('in bounded numbers, oldest first', () => {
    const { one, docs } = archivedAt(0, 1, 2, 24, 48, 60)
    expect(due(one, 80, { limit: 2 })).toEqual(docs.slice(0, 2))
  })
})

it('distilled blocks are derived from their document, in any order of events', () => {
  const make = (events: readonly StoredEvent[]) => {
    const { one, docs } = archivedAt(0)
    const block = 'blk_0123456789abcdef01234567'
    const event = { ...(distilled(40, docs[0] ?? '').data as object), blocks: [block, 'blk_0123456789abcdef01234568'] }
    one.fold([...events, { type: 'hologram/distill', data: event }])
    return one.database
      .prepare('SELECT source_id, target_kind, target_id, type, status FROM memory_block_edges ORDER BY source_id')
      .all()
  }
  expect(make([])).toEqual([
    expect.objectContaining({
      source_id: 'blk_0123456789abcdef01234567',
      target_kind: 'document',
      type: 'derived_from',
    }),
    expect.objectContaining({ source_id: 'blk_0123456789abcdef01234568', status: 'active' }),
  ])
})
