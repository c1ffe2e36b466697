/** One document of which several logs and processes tell: whoever is read first, it comes to the same, and to what is still stored. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ArchiveEvent, StoredEvent } from '../../../src/events/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { archiveOf, assistantMessage, type HostEvent, type Turn, userMessage } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, type Home, newHome, store } from '../worker/stores.ts'
import { type LogEntry, materialOf, ours, writeLog } from './logs.ts'
import { spoken } from './told.ts'

afterEach(closeStores)

const call = (id: string): HostEvent => ({
  type: 'tool/call',
  time: 1,
  data: { turn: 1, step: 0, callId: id, name: 'bash', arguments: '{}' },
})
const result = (id: string, text: string): HostEvent => ({
  type: 'tool/result',
  time: 1,
  surfaceOp: 'append',
  data: {
    turn: 1,
    step: 0,
    message: { id: `r-${id}`, content: [{ type: 'tool-result', toolCallId: id, content: [{ type: 'text', text }] }] },
  },
})
/** What parent and fork have in common: the fork was made while a tool was at work. */
const COMMON = [userMessage('q1', 'how tall is the kiwi?'), assistantMessage('a1', 'let me look', 1, 0), call('c1')]
const turnOf = (events: readonly HostEvent[], messages: readonly string[]): Turn => ({
  events,
  messages,
  calls: ['c1'],
  pages: [],
})
const archived = (data: ArchiveEvent): StoredEvent => ({ type: 'hologram/archive', data })
const textOf = (one: Store, event: ArchiveEvent) =>
  one.document(event)?.pages.flatMap(({ parts }) => parts.map(({ text }) => text)) ?? []

async function fresh(home: Home, journaled: readonly StoredEvent[] = []): Promise<Store> {
  const one = store(home, { path: ':memory:', keepJournal: true })
  one.fold(journaled)
  await one.catchUp([home.sessions])
  return one
}

describe('forks in the middle of a turn, at a call without its result', () => {
  const parent = [...COMMON, result('c1', 'as the parent saw it')]
  const child = [...COMMON, result('c1', 'as the fork saw it'), assistantMessage('a2', 'it is tall', 1, 1)]
  const [ofParent, ofChild] = [
    archiveOf(turnOf(parent, ['q1', 'a1']), 2, 'parent'),
    archiveOf(turnOf(child, ['q1', 'a1', 'a2']), 1, 'child'),
  ]

  it('the later event counts, told by the log of its own session, whichever is read first', async () => {
    const dumps: string[] = []
    // Logs are listed by name.
    for (const [a, b] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const home = newHome()
      const [p, c] = [a, b].map(name => `${name}-session`) as [string, string]
      const [ep, ec] = [
        { ...ofParent, at: { ...ofParent.at, session: p } },
        { ...ofChild, at: { ...ofChild.at, session: c } },
      ]
      writeLog(home, p, [...parent, ours('archive', ep)])
      writeLog(home, c, [...child, ours('archive', ec)])
      const one = await fresh(home)
      expect(textOf(one, ep)).toEqual(['how tall is the kiwi?', 'let me look', '{}', 'as the parent saw it'])
      const before = await fresh(home, [ep, ec].map(archived))
      expect(dump(before.database)).toBe(dump(one.database))
      dumps.push(dump(one.database).replaceAll(p, 'P').replaceAll(c, 'C'))
    }
    expect(new Set(dumps).size).toBe(1)
  })

  it('when the log that told it is deleted, what another still holds is told', async () => {
    const home = newHome()
    const whole = [...parent, assistantMessage('a3', 'the secret height is 12', 1, 1)]
    const event = archiveOf(turnOf(whole, ['q1', 'a1', 'a3']), 9, 'parent')
    const path = writeLog(home, 'parent', [...whole, ours('archive', event)])
    writeLog(home, 'child', [...child, ours('archive', ofChild)])
    const one = store(home)
    await one.catchUp([home.sessions])
    expect(textOf(one, event)).toContain('the secret height is 12')
    rmSync(dirname(path), { recursive: true })
    await one.catchUp([home.sessions])
    expect(textOf(one, event)).not.toContain('the secret height is 12')
    expect(textOf(one, event)).toContain('how tall is the kiwi?')
    const rebuilt = store(home, { path: ':memory:', keepJournal: true })
    await rebuilt.catchUp([home.sessions])
    expect(dump(rebuilt.database)).toBe(dump(one.database))
  })

  it('when the log that told it was cut short, what another holds is told', async () => {
    const home = newHome()
    const long = [...parent, assistantMessage('a3', 'the end of it', 1, 1)]
    const event = archiveOf(turnOf(long, ['q1', 'a1', 'a3']), 9, 'parent')
    writeLog(home, 'parent', long)
    writeLog(home, 'child', [...child, ours('archive', event)])
    const one = store(home)
    await one.catchUp([home.sessions])
    expect(textOf(one, event)).toContain('the end of it')
    writeLog(home, 'parent', parent.slice(0, 1))
    await one.catchUp([home.sessions])
    const rebuilt = await fresh(home)
    expect(dump(rebuilt.database)).toBe(dump(one.database))
    expect(textOf(one, event)).toEqual(['how tall is the kiwi?', 'let me look', '{}', 'as the fork saw it'])
  })
})

describe('two processes archive one resumed session', () => {
  const first = spoken(1, 'the kiwi is green', 'noted')
  const more = assistantMessage('a9', 'and it is ripe', 1, 1)
  const whole: Turn = { ...first, events: [...first.events, more], messages: [...first.messages, 'a9'] }
  const [short, long] = [archiveOf(first, 1, 's1'), archiveOf(whole, 2, 's1')]

  it('in any order of events and texts it comes to the same', async () => {
    const acts = {
      fold1: (a: Store) => a.fold([archived(short)]),
      fold2: (_: Store, b: Store) => b.fold([archived(long)]),
      give1: (a: Store) => a.supply([materialOf(short, 's1', first.events)]),
      give2: (_: Store, b: Store) => b.supply([materialOf(long, 's1', whole.events)]),
    }
    const orders: Array<Array<keyof typeof acts>> = [
      ['fold1', 'give1', 'fold2', 'give2'],
      ['fold1', 'fold2', 'give1', 'give2'],
      ['fold1', 'fold2', 'give2', 'give1'],
      ['fold2', 'give2', 'fold1', 'give1'],
      ['fold2', 'fold1', 'give1', 'give2'],
    ]
    const entries: LogEntry[] = [...first.events, ours('archive', short), more, ours('archive', long)]
    for (const order of orders) {
      const home = newHome()
      const [a, b] = [store(home), store(home)]
      for (const act of order) acts[act](a, b)
      expect(textOf(a, long), order.join()).toEqual(['the kiwi is green', 'noted', 'and it is ripe'])
      writeLog(home, 's1', entries)
      await b.catchUp([home.sessions])
      expect(dump((await fresh(home)).database), order.join()).toBe(dump(a.database))
    }
  })
})

it('a log that is deleted while its session lives is withdrawn, and is back with what the session says next', async () => {
  const home = newHome()
  const [alive, other] = [store(home), store(home)]
  const [one, two] = [spoken(1, 'the kiwi is green'), spoken(2, 'the mango is not')]
  const [first, second] = [archiveOf(one, 1, 's1'), archiveOf(two, 2, 's1')]
  alive.fold([archived(first)])
  alive.supply([materialOf(first, 's1', one.events)])
  const path = writeLog(home, 's1', [...one.events, ours('archive', first)])
  await other.catchUp([home.sessions])
  rmSync(dirname(path), { recursive: true })
  await other.catchUp([home.sessions])
  for (const each of [alive, other]) expect(each.document(first)).toMatchObject({ state: 'withdrawn', pages: [] })
  alive.fold([archived(second)])
  alive.supply([materialOf(second, 's1', two.events)])
  await alive.catchUp([home.sessions])
  expect(other.document(second)?.state).toBe('held')
  // The host writes the whole session again.
  writeLog(home, 's1', [...one.events, ours('archive', first), ...two.events, ours('archive', second)])
  await alive.catchUp([home.sessions])
  expect([first, second].map(event => other.document(event)?.state)).toEqual(['held', 'held'])
})
