/** A turn of thousands of calls keeps nobody waiting: its text and its words come a piece at a time, whatever happens between. */
import { setImmediate as breathe } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { afterEach, expect, it } from 'vitest'
import { WorkerReadModel } from '../../../src/readmodels/index.ts'
import { NS_A } from '../../support/events.ts'
import { archiveOf, type Turn } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, newHome, store } from '../worker/stores.ts'
import { materialOf, ours, writeLog } from './logs.ts'
import { ask, spoken } from './told.ts'

afterEach(closeStores)

const CALLS = 1_500
const RESULT = 'the kiwi is green and the mango is not, as far as anybody knows. '

function longTurn(calls = CALLS): Turn {
  const made = Array.from({ length: calls }, (_, n) => [`c${n}`, `{"n":${n}}`, `${RESULT.repeat(4)} tag${n}`] as const)
  return spoken(1, 'look at all of the fruit', 'done', made)
}

const unindexed = (path: string): number => {
  const db = new SQLite(path, { readonly: true })
  const count = db.prepare('SELECT count(*) FROM cold_events WHERE indexed = 0').pluck().get() as number
  db.close()
  return count
}

it('a question that comes after it is answered before it is done', async () => {
  const home = newHome()
  const model = new WorkerReadModel(home)
  try {
    const turn = longTurn()
    const event = archiveOf(turn, 1, 's1')
    await model.fold([{ type: 'hologram/archive', data: event }])
    const order: string[] = []
    const supplied = model.supply([materialOf(event, 's1', turn.events)]).then(() => order.push('supplied'))
    const request = { query: 'kiwi', scope: 'namespace', namespace: NS_A.id, topK: 5, pages: { topK: 5 } } as const
    await model.recall(request)
    order.push('answered')
    await supplied
    expect(order).toEqual(['answered', 'supplied'])
    expect((await model.recall({ ...request, query: `tag${CALLS - 1}` })).pages).toHaveLength(1)
  } finally {
    await model.close()
  }
})

it('each step is a small one, and its text is there before its words', () => {
  const home = newHome()
  const one = store(home)
  const turn = longTurn()
  const event = archiveOf(turn, 1, 's1')
  one.fold([{ type: 'hologram/archive', data: event }])
  for (const _ of one.supplying([materialOf(event, 's1', turn.events)]))
    expect(one.document(event)?.state).toBe('waiting')
  expect(one.document(event)?.pages[0]?.parts).toHaveLength(2 + 2 * CALLS)
  const left = [unindexed(home.path)]
  for (const _ of one.indexing()) left.push(unindexed(home.path))
  expect(left.at(-1)).toBe(0)
  const steps = left.slice(1).map((count, at) => (left[at] ?? 0) - count)
  expect(Math.max(...steps)).toBeLessThan(100)
})

it('what a process that ended left undone another does, and all of it is found', async () => {
  const home = newHome()
  const turn = longTurn(300)
  const event = archiveOf(turn, 1, 's1')
  const killed = store(home)
  killed.fold([{ type: 'hologram/archive', data: event }])
  for (const _ of killed.supplying([materialOf(event, 's1', turn.events)]));
  killed.indexing().next()
  expect(unindexed(home.path)).toBeGreaterThan(0)
  killed.close()
  const next = store(home)
  await next.tend()
  expect(unindexed(home.path)).toBe(0)
  for (const word of ['tag0', 'tag150', 'tag299']) expect(ask(next, word).pages).toHaveLength(1)
})

it('a turn that goes on is not found by words it lost, and its rows are given back', async () => {
  const home = newHome()
  const one = store(home)
  const whole = longTurn(200)
  const event = archiveOf(whole, 1, 's1')
  one.fold([{ type: 'hologram/archive', data: event }])
  one.supply([materialOf(event, 's1', whole.events)])
  const short = { ...spoken(1, 'look at all of the fruit', 'done'), calls: [] }
  const again = archiveOf(short, 2, 's1')
  one.fold([{ type: 'hologram/archive', data: again }])
  one.supply([materialOf(again, 's1', whole.events)])
  expect(ask(one, 'tag150').pages).toEqual([])
  expect(ask(one, 'fruit').pages).toHaveLength(1)
  const rows = one.database.prepare("SELECT count(*) FROM memory_blocks WHERE id LIKE 'gone#%'").pluck()
  expect(rows.get()).toBe(0)
  const fresh = store(newHome(), { path: ':memory:' })
  fresh.fold([event, again].map(data => ({ type: 'hologram/archive', data })))
  fresh.supply([materialOf(again, 's1', whole.events)])
  expect(dump(fresh.database)).toBe(dump(one.database))
})

it('read from a stored log it is taken a piece at a time as well, and is the same', async () => {
  const home = newHome()
  const turn = longTurn()
  const event = archiveOf(turn, 1, 's1')
  writeLog(home, 's1', [...turn.events, ours('archive', event)])
  const live = store(newHome(), { path: ':memory:' })
  live.fold([{ type: 'hologram/archive', data: event }])
  live.supply([materialOf(event, 's1', turn.events)])
  const one = store(home)
  let reading = true
  let longest = 0
  const reader = one.catchUp([home.sessions]).finally(() => {
    reading = false
  })
  let left = 2 + 2 * CALLS
  let began = false
  while (reading) {
    const count = unindexed(home.path)
    if (count > 0) began = true
    if (began) longest = Math.max(longest, left - count)
    if (began) left = count
    await breathe()
  }
  await reader
  expect(began).toBe(true)
  expect(longest).toBeLessThan(200)
  expect(dump(one.database)).toBe(dump(live.database))
})

it('what is handed over while another process writes is written when it is done', async () => {
  const home = newHome()
  const one = store(home)
  const turn = spoken(1, 'the kiwi is green')
  const event = archiveOf(turn, 1, 's1')
  one.fold([{ type: 'hologram/archive', data: event }])
  const other = new SQLite(home.path)
  other.exec('BEGIN IMMEDIATE')
  expect(one.supply([materialOf(event, 's1', turn.events)])).toBe(0)
  other.exec('ROLLBACK')
  other.close()
  await one.tend()
  expect(one.document(event)?.state).toBe('held')
  expect(ask(one, 'kiwi').pages).toHaveLength(1)
})
