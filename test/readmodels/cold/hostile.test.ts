/** What somebody who wants memory to leak, to lie or to stall would do with a turn. */
import { afterEach, describe, expect, it } from 'vitest'
import { blockId, type StoredEvent } from '../../../src/events/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { commit, NS_A, NS_B, purged, recalled } from '../../support/events.ts'
import { archiveOf, makeTurn } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, newHome, store } from '../worker/stores.ts'
import { type LogEntry, materialOf, ours, writeLog } from './logs.ts'
import { ask, spoken, told } from './told.ts'

afterEach(closeStores)

const TEXT = 'the staging port is 8443'
const stored = (verb: string, data: unknown): StoredEvent => ({ type: `hologram/${verb}`, data })

describe('a purged text does not come back', () => {
  const purge = [commit(500, TEXT), purged(501, [blockId(TEXT)])]

  it.each([
    ['in a list', `what I know:\n- ${TEXT}\n- the host is kiwi`],
    ['in a numbered list', `1. ${TEXT}`],
    ['in quotes', `you said “${TEXT}”, right?`],
    ['after a colon', `Remember: ${TEXT}.`],
    ['emphasised', `**${TEXT}**`],
    ['quoted', `> ${TEXT}`],
    ['with other white space', `the  staging\u3000port is\t8443`],
  ])('%s', (_, words) => {
    expect(JSON.stringify(ask(told([spoken(1, words)], purge), 'staging port').pages)).not.toContain('8443')
  })

  it('inside what a tool gave', () => {
    const result = JSON.stringify({ rows: [{ text: TEXT }] })
    const one = told([spoken(1, 'look at the notes', 'noted', [['c1', '{}', result]])], purge)
    expect(JSON.stringify(ask(one, 'staging port').pages)).not.toContain('8443')
  })

  it('far down in a long part', () => {
    const lines = Array.from({ length: 8_000 }, (_, n) => `line ${n} of ${n * 3}`)
    const one = told([spoken(1, ['staging port?', ...lines, TEXT].join('\n'))], purge)
    expect(JSON.stringify(ask(one, 'staging port').pages)).not.toContain('port is 8443')
  })

  it('as the title or a tag of a document', () => {
    for (const named of [
      { title: TEXT, tags: [] },
      { title: 'kiwi', tags: [TEXT] },
      { title: `Remember: ${TEXT}`, tags: [] },
    ]) {
      const one = told([spoken(1, 'the kiwi is green')], purge, { named: true, ...named })
      for (const query of ['kiwi', 'staging port 8443']) expect(JSON.stringify(ask(one, query))).not.toContain('8443')
      expect(JSON.stringify(one.document({ doc: archiveOf(spoken(1, ''), 1, 's1').doc }))).not.toContain('8443')
    }
  })

  it('as the title of another page of its document', () => {
    const turn = makeTurn(
      {
        prompt: ['the kiwi is green'],
        steps: [
          { steering: [], text: 'noted', calls: [], reversed: false, chunks: 0 },
          { steering: [TEXT], text: 'kiwi again', calls: [], reversed: false, chunks: 0 },
        ],
        injected: false,
        compaction: false,
      },
      1,
    )
    const one = told([turn], purge, { named: true, title: `kiwi, and ${TEXT}` })
    expect(JSON.stringify(ask(one, 'kiwi'))).not.toContain('8443')
  })
})

describe('a purge can know of every page that holds its text', () => {
  const holding = (one: Store) =>
    one.lookup({ namespace: NS_A.id, ids: [blockId(TEXT)], pages: true })[0]?.pages?.length

  it('of as many as there are', () => {
    const turns = Array.from({ length: 300 }, (_, n) => spoken(n + 1, `I think ${TEXT} and so did ${n}`))
    expect(holding(told(turns, [commit(500, TEXT)]))).toBe(300)
  })

  it('deep in a long part, among many that use its words', () => {
    const filler = Array.from({ length: 900 }, (_, n) => `the port ${n} of staging is not it, and`).join(' ')
    const others = Array.from({ length: 250 }, (_, n) => spoken(n + 2, `staging port is 8443, the ${n} said`))
    const turns = [spoken(1, `${filler} ${TEXT} and so on ${filler.slice(0, 10_000)}`), ...others]
    expect(holding(told(turns, [commit(500, TEXT)]))).toBe(1)
  })
})

it('calls of one turn are not taken for those of another that had the same ids, live and rebuilt alike', async () => {
  const home = newHome()
  const turns = [1, 2, 3].map(n =>
    spoken(n, `question ${n}`, `answer ${n}`, [['call_0', `{"n":${n}}`, `came to ${n}`]]),
  )
  const events = turns.map((turn, at) => archiveOf(turn, at + 1, 's1'))
  // The second is archived late, when the third has begun.
  const entries: LogEntry[] = [
    ...(turns[0]?.events ?? []),
    ours('archive', events[0]),
    ...(turns[1]?.events ?? []),
    ...(turns[2]?.events ?? []),
    ours('archive', events[1]),
    ours('archive', events[2]),
  ]
  writeLog(home, 's1', entries)
  const live = store(home, { path: ':memory:', keepJournal: true })
  for (const [at, event] of events.entries()) {
    live.fold([stored('archive', event)])
    live.supply([materialOf(event, 's1', turns[at]?.events ?? [])])
  }
  const fromLog = store(home, { path: ':memory:', keepJournal: true })
  await fromLog.catchUp([home.sessions])
  const journalFirst = store(newHome(), { path: ':memory:', keepJournal: true })
  journalFirst.fold(events.map(event => stored('archive', event)))
  await journalFirst.catchUp([home.sessions])
  for (const [at, { doc }] of events.entries()) {
    const texts = live.document({ doc })?.pages.flatMap(({ parts }) => parts.map(({ text }) => text))
    expect(texts).toEqual([`question ${at + 1}`, `answer ${at + 1}`, `{"n":${at + 1}}`, `came to ${at + 1}`])
  }
  expect(dump(fromLog.database)).toBe(dump(live.database))
  for (const { doc } of events) expect(journalFirst.document({ doc })?.pages).toEqual(live.document({ doc })?.pages)
})

it('the name of a tool holds no secret and is no text', () => {
  const secret = `sk-${'a1B2c3D4'.repeat(6)}`
  const turn = spoken(1, 'the kiwi is green', 'noted', [['c1', '{}', 'done']])
  const events = turn.events.map(event =>
    event.type === 'tool/call'
      ? { ...event, data: { ...(event.data as object), name: `${secret} ${'x'.repeat(9_999)}` } }
      : event,
  )
  const one = told([{ ...turn, events }])
  const [page] = ask(one, 'kiwi').pages
  expect(page?.parts[2]?.tool.length).toBeLessThan(100)
  expect(one.database.serialize().toString('latin1')).not.toContain(secret)
})

describe('a document', () => {
  it('stays warm when it was asked for on purpose from another project', () => {
    const one = told([spoken(1, 'the kiwi is green')])
    const { doc } = archiveOf(spoken(1, ''), 1, 's1')
    const pages = [{ doc, page: 0, score: 1, exact: false, why: '' }]
    one.fold([1, 2, 3].map(n => recalled(10 + n, [], { ns: NS_B, mode: 'tool', pages })))
    expect(one.document({ doc })?.accesses).toBe(3)
  })

  it('does not cool because the clocks of two machines that share it differ', () => {
    const HOUR = 3_600_000
    const START = 1_700_000_000_000
    const one = store(newHome(), { path: ':memory:' })
    for (let n = 1; n <= 20; n++) {
      const turn = spoken(n, `the kiwi ${n} is green`)
      const time = START + (n % 2 === 0 ? 24 * HOUR : 0)
      const event = archiveOf(turn, n, 's1', { at: { session: 's1', time } })
      one.fold([stored('archive', event)])
      one.supply([materialOf(event, 's1', turn.events)])
    }
    expect(one.due({ age: 72 * HOUR, accesses: 2, now: START + 25 * HOUR, limit: 10 })).toEqual([])
  })
})

describe('the worker is never busy for long', () => {
  it('turns archived late get their text a few at a time', async () => {
    const home = newHome()
    const turns = Array.from({ length: 300 }, (_, n) => spoken(n + 1, `the kiwi ${n} is green`))
    const events = turns.map((turn, at) => archiveOf(turn, at + 1, 's1'))
    const archived = events.map(event => ours('archive', event))
    writeLog(home, 's1', [...turns.flatMap((turn): LogEntry[] => turn.events), ...archived])
    const one = store(home, { path: ':memory:', keepJournal: true })
    const held: number[] = [0]
    let reading = true
    const look = (): void => {
      const { all, waiting } = one.stats().documents
      held.push(all - waiting)
      if (reading) setImmediate(look)
    }
    look()
    await one.catchUp([home.sessions])
    reading = false
    look()
    expect(held.at(-1)).toBe(300)
    expect(Math.max(...held.slice(1).map((count, at) => count - (held[at] ?? 0)))).toBeLessThanOrEqual(20)
  })

  it('a page is found without reading all of a document that has thousands', () => {
    const calls = Array.from(
      { length: 1_000 },
      (_, n) => [`c${n}`, '{}', `staging ${n} ${'x'.repeat(30_000)}`] as const,
    )
    const turn = spoken(1, 'the staging work', 'noted', calls)
    const events = turn.events.map((event, at) => ({ ...event, data: { ...(event.data as object), step: at } }))
    const one = told([{ ...turn, events }])
    const took = (run: () => unknown): number => {
      const began = performance.now()
      run()
      return performance.now() - began
    }
    const { doc } = archiveOf(turn, 1, 's1')
    const whole = Math.min(...[1, 2, 3].map(() => took(() => one.document({ doc }))))
    expect(ask(one, 'staging').pages).toHaveLength(5)
    expect(Math.min(...[1, 2, 3].map(() => took(() => ask(one, 'staging'))))).toBeLessThan(whole)
  })
})
