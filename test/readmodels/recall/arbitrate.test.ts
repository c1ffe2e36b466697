import { describe, expect, it } from 'vitest'
import { ask, memoryOfNotes, texts } from './memory.ts'

describe('case 12: of two values the later one is shown', () => {
  const [old, young] = ['svc|port=8080', 'svc|port=9090 (old 8080 retired)']

  it.each(['svc port now', 'svc port', '8080', '9090', 'svc'])('%s', query => {
    const result = ask(memoryOfNotes(old, young), query, { history: true })
    expect(texts(result)).toEqual([young])
    expect(result.superseded).toMatchObject([
      { text: old, by: 'blk_0001', reason: expect.stringContaining('later value') },
    ])
    expect(result.counters.skipped).toMatchObject({ superseded: 1 })
  })

  it('lists what was replaced only when asked', () => {
    expect(ask(memoryOfNotes(old, young), 'svc port').superseded).toEqual([])
  })

  it('goes by event order, not by insertion or wall clock', () => {
    const db = memoryOfNotes(
      { text: 'svc|port=9090', clock: 2, at: 1_000 },
      { text: 'svc|port=8080', clock: 1, at: 2_000 },
    )
    expect(texts(ask(db, 'svc port'))).toEqual(['svc|port=9090'])
    const tied = memoryOfNotes(
      { text: 'svc|port=1111', clock: 5, event: 'evt_b' },
      { text: 'svc|port=2222', clock: 5, event: 'evt_a' },
    )
    expect(texts(ask(tied, 'svc port'))).toEqual(['svc|port=1111'])
  })

  it('holds when the later value does not name the earlier one, on the exact path too', () => {
    const db = memoryOfNotes('gateway|host=10.0.0.5', 'other text', 'Gateway | Host = 10.0.0.9')
    const result = ask(db, 'who has 10.0.0.5', { history: true })
    expect(texts(result)[0]).toBe('Gateway | Host = 10.0.0.9')
    expect(result.superseded.map(one => one.text)).toEqual(['gateway|host=10.0.0.5'])
  })

  it('keeps other dimensions, other subjects and other namespaces apart', () => {
    const db = memoryOfNotes('svc|port=8080', 'svc|host=h1', 'svc2|port=8080', { text: 'svc|port=7070', ns: 2 })
    expect(texts(ask(db, 'svc port host')).sort()).toEqual(['svc2|port=8080', 'svc|host=h1', 'svc|port=8080'])
  })

  it('follows a chain to its end', () => {
    const result = ask(memoryOfNotes('网关|端口=8001', '网关|端口=8002', '網關|端口=8003'), '网关端口', {
      history: true,
    })
    expect(texts(result)).toEqual(['網關|端口=8003'])
    expect(result.superseded).toHaveLength(2)
  })

  it('sees a later value only where the request may', () => {
    const db = memoryOfNotes({ text: 'svc|port=1000', sources: ['s1'] }, { text: 'svc|port=2000', sources: ['s2'] })
    expect(texts(ask(db, 'svc port', { sessions: ['s1'] }))).toEqual(['svc|port=1000'])
  })
})

describe('sentences that replace each other', () => {
  it.each([
    ['gamma listens on 7001', 'gamma moved from 7001 to 7002'],
    ['gamma listens on 7001', 'gamma no longer uses 7001'],
    ['服务甲的端口是7001', '服务甲的端口由7001改为7002'],
    ['gamma host is 10.0.0.5', 'gamma host 10.0.0.5 was replaced'],
  ])('%s ← %s', (old, young) => {
    const result = ask(memoryOfNotes(old, young), old, { history: true })
    expect(texts(result)).toEqual([young])
    expect(result.superseded).toMatchObject([{ text: old }])
  })

  it.each([
    ['gamma listens on 7001', 'gamma 7001 was slow on friday'],
    ['gamma listens on 7001', 'delta moved from 7001 to 7002'],
    ['gamma listens on 7001', 'gamma moved to 17001 and 17002'],
    ['rate is 100% now', 'rate is 100 now, changed'],
    ['we met on 18 August 2023', 'we met again after 18 August 2023 and moved 20 chairs'],
  ])('%s stays beside %s', (old, young) => {
    expect(ask(memoryOfNotes(old, young), old, { history: true }).superseded).toEqual([])
  })
})

describe('explicit edges', () => {
  it('always win, against the later value too', () => {
    const db = memoryOfNotes({ text: 'svc|port=8080', row: 1 }, { text: 'svc|port=9090', row: 2 })
    const result = ask(db, 'svc port', { history: true, supersedes: () => [{ loser: 2, winner: 1 }] })
    expect(texts(result)).toEqual(['svc|port=8080'])
    expect(result.superseded).toMatchObject([{ text: 'svc|port=9090', reason: expect.stringContaining('edge') }])
  })
  it('survive a circle', () => {
    const db = memoryOfNotes({ text: 'alpha one', row: 1 }, { text: 'alpha two', row: 2 })
    const result = ask(db, 'alpha', {
      supersedes: () => [
        { loser: 2, winner: 1 },
        { loser: 1, winner: 2 },
      ],
    })
    expect(result.hits).toHaveLength(1)
  })
})
