import { describe, expect, it } from 'vitest'
import { ask, memoryOfNotes, type Note, texts } from './memory.ts'

/** Noon of a day, as this machine's calendar has it. */
const noon = (year: number, month: number, day: number): number => new Date(year, month - 1, day, 12).getTime()
/** Wednesday, 8 May 2024. */
const NOW = noon(2024, 5, 8)

const said = (text: string, at: number, speaker = 'Ann'): Note => ({
  text,
  at,
  said: { session: 'talk', position: at, speaker, saidAt: at },
})
const NOTES: readonly Note[] = [
  said('kiln', noon(2023, 5, 3), 'Ben'),
  said('lake', noon(2024, 4, 12), '王小明'),
  said('boat', noon(2024, 4, 29)),
  said('harvest', noon(2024, 5, 1), 'Ben'),
  said('window', noon(2024, 5, 3)),
  said('lantern', noon(2024, 5, 3) + 60_000, '王小明'),
  { text: 'svc runs on h1', at: noon(2024, 5, 6) },
  said('oboe', noon(2024, 5, 7), '王小明'),
  said('pottery', noon(2024, 5, 7) + 60_000),
  said('breakfast', NOW - 3_600_000),
]
const db = memoryOfNotes(...NOTES)
const found = (query: string, rest = {}): string[] => texts(ask(db, query, { now: NOW, ...rest }))

describe('a question of only a time', () => {
  it.each([
    ['what happened on 2024-05-03', ['window', 'lantern']],
    ['What did we talk about on 3 May 2024?', ['window', 'lantern']],
    ['2024年5月3日发生了什么', ['window', 'lantern']],
    ['二〇二四年五月三日说了什么？', ['window', 'lantern']],
    ['5月3号', ['window', 'lantern']],
    ['what happened on 3 May', ['window', 'lantern']],
    ['3 May 2023', ['kiln']],
    ['去年5月有什么记录', ['kiln']],
    ['yesterday', ['oboe', 'pottery']],
    ['what did we discuss yesterday?', ['oboe', 'pottery']],
    ['昨天聊了什么', ['oboe', 'pottery']],
    ['昨晚我们说到什么了', ['oboe', 'pottery']],
    ['today', ['breakfast']],
    ['今天说过什么', ['breakfast']],
    ['what happened the day before yesterday', ['svc runs on h1']],
    ['前天发生了什么事情', ['svc runs on h1']],
    ['5 days ago', ['window', 'lantern']],
    ['五天前', ['window', 'lantern']],
    ['what was said last Wednesday', ['harvest']],
    ['上周三说了什么', ['harvest']],
    ['上個禮拜三說了什麼？', ['harvest']],
    ['上星期五的内容', ['window', 'lantern']],
    ['周五说了什么', ['window', 'lantern']],
    ['on Friday', ['window', 'lantern']],
    ['last week', ['boat', 'harvest', 'window', 'lantern']],
    ['上周聊了什么', ['boat', 'harvest', 'window', 'lantern']],
    ['上上周', []],
    ['last month', ['lake', 'boat']],
    ['上个月发生了什么', ['lake', 'boat']],
    ['what happened in April 2024', ['lake', 'boat']],
    ['in 2023', ['kiln']],
    ['2023年', ['kiln']],
    ['in the last 2 days', ['svc runs on h1', 'oboe', 'pottery', 'breakfast']],
    ['最近两天', ['svc runs on h1', 'oboe', 'pottery', 'breakfast']],
    ['between 29 April 2024 and 2 May 2024', ['boat', 'harvest']],
    ['4月29日到5月2日之间说了什么', ['boat', 'harvest']],
  ])('%s brings what was said then, in event order', (query, expected) => {
    expect(found(query)).toEqual(expected)
  })

  it('says so, in words', () => {
    expect(ask(db, '昨天说了什么', { now: NOW }).hits[0]).toMatchObject({
      text: 'oboe',
      score: 0.5,
      exact: false,
      why: 'said on 2024-05-07',
    })
    expect(ask(db, 'last week', { now: NOW }).hits[0]?.why).toBe('said from 2024-04-29 to 2024-05-05')
  })

  it('may name who said it, by full or first name', () => {
    expect(found('what did Ann say yesterday')).toEqual(['pottery'])
    expect(found('小明昨天说了什么')).toEqual(['oboe'])
    expect(found('王小明上周五说过什么？')).toEqual(['lantern'])
    expect(ask(db, 'what did Ann say yesterday', { now: NOW }).hits[0]?.why).toBe('said on 2024-05-07 by Ann')
    expect(found('what did Zoe say yesterday')).toEqual([])
  })

  it('pages, and keeps to what the request may see', () => {
    const many = memoryOfNotes(
      ...Array.from({ length: 200 }, (_, i) => ({
        text: `note ${String.fromCodePoint(0x4e00 + 7 * i)}`,
        at: noon(2024, 5, 7) + i,
        scene: i % 2 === 0 ? 'even' : 'odd',
        clock: 200 - i,
      })),
    )
    const pages = [0, 10, 20].flatMap(offset => texts(ask(many, 'yesterday', { now: NOW, offset })))
    expect(pages).toEqual(Array.from({ length: 30 }, (_, i) => `note ${String.fromCodePoint(0x4e00 + 7 * (199 - i))}`))
    const odd = ask(many, 'yesterday', { now: NOW, filters: { scene: 'odd' }, topK: 200 })
    expect(odd.hits).toHaveLength(100)
    expect(ask(many, 'yesterday', { now: NOW, namespaces: [2] }).outcome).toBe('nothing_stored')
    const elsewhere = memoryOfNotes({ text: 'one', at: NOW }, { text: 'two', at: NOW, ns: 2 })
    expect(texts(ask(elsewhere, 'today', { now: NOW }))).toEqual(['one'])
    expect(texts(ask(elsewhere, 'today', { now: NOW, namespaces: [1, 2] }))).toEqual(['one', 'two'])
  })

  it('is bounded by the page, however much was said', () => {
    const { counters } = ask(db, 'in 2024', { now: NOW, topK: 1 })
    expect(counters.candidates).toBeLessThanOrEqual(9)
  })

  it('shows what replaced a fact of that day, and no fact twice', () => {
    const facts = memoryOfNotes({ text: 'svc|port=1', at: noon(2024, 5, 7) }, { text: 'svc|port=2', at: NOW })
    const result = ask(facts, 'yesterday', { now: NOW, history: true })
    expect(texts(result)).toEqual(['svc|port=2'])
    expect(result.superseded).toMatchObject([{ text: 'svc|port=1' }])
  })

  it('puts a block that names the day before those said on it', () => {
    const named = memoryOfNotes(
      { text: 'told that day', at: noon(2024, 5, 3) },
      { text: 'release of 2024-05-03 was green', at: noon(2024, 6, 1) },
    )
    expect(ask(named, 'what happened on 2024-05-03').hits).toMatchObject([
      { text: 'release of 2024-05-03 was green', exact: true },
      { text: 'told that day', exact: false },
    ])
  })

  it('of a time when nothing was said is answered by words', () => {
    const plain = memoryOfNotes({ text: 'we happened to meet', at: NOW })
    expect(texts(ask(plain, 'what happened in 1999', { now: NOW }))).toEqual(['we happened to meet'])
  })
})

describe('a question of more than a time', () => {
  it.each(['what about the harvest yesterday', '昨天的 harvest'])('%s is answered by words', query => {
    expect(found(query)[0]).toBe('harvest')
  })
  it('weighs what its words found by when it was said', () => {
    const port = memoryOfNotes(
      { text: 'the port was closed', at: noon(2024, 4, 1) },
      { text: 'the port was opened', at: noon(2024, 5, 1) },
    )
    for (const query of ['what about the port last Wednesday', 'port 上周三', 'the port a week ago']) {
      expect(texts(ask(port, query, { now: NOW })), query).toEqual(['the port was opened', 'the port was closed'])
    }
    // Today is when one talks, not what one asks about.
    const today = memoryOfNotes(
      { text: 'the port was closed', at: noon(2024, 4, 1) },
      { text: 'the port was opened', at: NOW },
    )
    expect(texts(ask(today, 'look at the port today', { now: NOW }))[0]).toBe('the port was closed')
  })
  it.each(['what broke in the last 30 days', '最近30天部署了什么'])('%s asks for no number', query => {
    expect(ask(db, query, { now: NOW }).outcome).not.toBe('refused')
  })
})
