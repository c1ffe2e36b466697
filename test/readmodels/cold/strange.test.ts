/** Logs and texts as nobody writes them on purpose. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import { inOut } from '../../../src/readmodels/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { frame } from '../../logs/samples.ts'
import { archiveOf } from '../../support/turns.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, type Home, newHome, store } from '../worker/stores.ts'
import { type LogEntry, linesOf, materialOf, ours, writeLog } from './logs.ts'
import { ask, spoken, told } from './told.ts'

afterEach(closeStores)

const turns = [1, 2, 3].map(n =>
  spoken(n, `question ${n} of the kiwi`, `answer ${n}`, [
    [`c${n}`, `{"n":${n}}`, `result ${n} 🥝 ${'word '.repeat(50)}`],
  ]),
)
const events = turns.map((turn, at) => archiveOf(turn, at + 1, 's1'))
const entries = turns.flatMap((turn, at): LogEntry[] => [...turn.events, ours('archive', events[at])])

describe('a packed log', () => {
  /** What a host makes of a run of deltas: one row that stands for many, and says nothing. */
  const packed = `${JSON.stringify({ type: 'assistant/chunk', packed: 1, seq: 3, time: 1, data: { deltas: ['a', 'b', 'question 9'] } })}\n`

  function write({ sessions }: Home, frames: readonly Buffer[]): void {
    const path = join(sessions, '--project--', 's1', 'session.jsonl.zstd')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, Buffer.concat(frames))
  }

  /** A line in two frames, rows between, an empty frame. */
  const lines = linesOf('s1', entries).split(/(?<=\n)/)
  const text = lines.flatMap((line, at) => (at === 0 ? [line] : [packed, line])).join('')
  const cut = (count: number) => {
    const size = Math.ceil(text.length / count)
    return Array.from({ length: count }, (_, n) => frame(text.slice(n * size, (n + 1) * size)))
  }

  it('of any number of frames gives the documents that the plain one gives', async () => {
    const plain = newHome()
    writeLog(plain, 's1', entries)
    const expected = store(plain, { path: ':memory:', keepJournal: true })
    await expected.catchUp([plain.sessions])
    for (const count of [1, 2, 7, 40]) {
      const home = newHome()
      write(home, [...cut(count), frame('')])
      const one = store(home, { path: ':memory:', keepJournal: true })
      await one.catchUp([home.sessions])
      expect(dump(one.database)).toBe(dump(expected.database))
    }
  })

  it('with a torn last frame gives what can be had, and the rest when it is whole', async () => {
    const frames = cut(5)
    const last = frames.at(-1) as Buffer
    for (const torn of [0, 1, last.length >> 1, last.length - 1]) {
      const home = newHome()
      write(home, [...frames.slice(0, -1), last.subarray(0, torn)])
      const one = store(home)
      // The journal knows of all of them.
      one.fold(events.map((data): StoredEvent => ({ type: 'hologram/archive', data })))
      await one.catchUp([home.sessions])
      expect(one.document(events[0] ?? { doc: '' })?.pages[0]?.parts).toHaveLength(4)
      write(home, frames)
      await one.catchUp([home.sessions])
      for (const event of events) expect(one.document(event)?.pages[0]?.parts).toHaveLength(4)
      const fresh = store(home, { path: ':memory:', keepJournal: true })
      await fresh.catchUp([home.sessions])
      expect(dump(fresh.database)).toBe(dump(one.database))
    }
  })
})

describe('a text', () => {
  const shown = (one: Store, query: string) => ask(one, query).pages.map(page => inOut(page, 2_000))

  it('of a hundred thousand words is found by its beginning, and shown within its limit', () => {
    const words = `the kiwi orchard opens at nine. ${Array.from({ length: 100_000 }, (_, n) => `w${n}`).join(' ')}`
    const one = told([spoken(1, words)])
    const [page] = shown(one, 'kiwi orchard')
    expect(page).toContain('opens at nine')
    expect(page?.length).toBeLessThan(2_200)
    expect(one.document(archiveOf(spoken(1, ''), 1, 's1'))?.pages[0]?.parts[0]?.text).toMatch(
      /more characters are in the session log\]$/,
    )
  })

  it('of nothing but Chinese', () => {
    const one = told([
      spoken(1, '猕猴桃果园的负责人是王芳，电话在周五之后更换。', '好的，已记录。'),
      spoken(2, '午餐在十二点。', '好。'),
    ])
    expect(shown(one, '谁负责猕猴桃果园？')[0]).toContain('王芳')
    expect(shown(one, '獼猴桃')[0]).toContain('王芳')
    expect(shown(one, '午餐')[0]).toContain('十二点')
  })

  it('of emoji and both directions, cut between characters', () => {
    const family = '👨‍👩‍👧‍👦'
    const words = `\u202eport\u202c של 🥝 kiwi السعر 42 ${family.repeat(3_000)}`
    const one = told([spoken(1, words, `${'e\u0301'.repeat(5_000)} 🥝`)])
    const [page = ''] = shown(one, 'kiwi')
    expect(page.isWellFormed()).toBe(true)
    expect(page).toContain('kiwi')
    expect(page).not.toMatch(/\u200d \[…|\[…[^\]]*…\] \u0301/u)
    expect(ask(one, 'السعر').pages).toHaveLength(1)
    expect(ask(one, '🥝').degraded).toEqual([])
  })

  it('of lone halves of characters, nulls and line ends is kept well-formed', () => {
    const one = told([spoken(1, 'kiwi \ud83d \udc00 \0 end\r\n\u2028next')])
    const page = ask(one, 'kiwi').pages[0]
    expect(page?.parts[0]?.text).toBe('kiwi \ufffd \ufffd \ufffd end\r\n\u2028next')
  })

  it('that is handed over and one that is read from the log are the same bytes', async () => {
    const words = 'kiwi \ud83d \0 👨‍👩‍👧‍👦 \u202eabc\u202c e\u0301 \u2028 end'
    const turn = spoken(1, words, '好的。')
    const event = archiveOf(turn, 1, 's1')
    const home = newHome()
    writeLog(home, 's1', [...turn.events, ours('archive', event)])
    const [live, read] = [
      store(home, { path: ':memory:', keepJournal: true }),
      store(home, { path: ':memory:', keepJournal: true }),
    ]
    live.fold([{ type: 'hologram/archive', data: event }])
    live.supply([materialOf(event, 's1', turn.events)])
    await read.catchUp([home.sessions])
    expect(dump(read.database)).toBe(dump(live.database))
  })
})
