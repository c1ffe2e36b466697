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
    ['服务甲的端口是7001', '服务甲已经不用7001，更换了端口'],
    ['服務甲的端口是7001', '服务甲的旧端口7001停用'],
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
    ['网关监听端口7001', '网关的7001号凭证每周轮换'],
    ['网关监听端口7001', '网关7001的值班在周五换班'],
    ['we met on 18 August 2023', 'we met again after 18 August 2023 and moved 20 chairs'],
  ])('%s stays beside %s', (old, young) => {
    expect(ask(memoryOfNotes(old, young), old, { history: true }).superseded).toEqual([])
  })
})

describe('a later value that the filters leave out', () => {
  const facts = [
    { text: 'svc|port=7000', scene: 'deploy/a', source: 'tool', semanticType: 'fact', at: 1_000, sources: ['s1'] },
    { text: 'svc|port=8080', scene: 'deploy/a', source: 'tool', semanticType: 'fact', at: 2_000, sources: ['s1'] },
    { text: 'svc|port=9090', scene: 'chat', source: 'api', semanticType: 'note', at: 3_000, sources: ['s2'] },
  ]
  const sentences = facts.map((fact, i) => ({
    ...fact,
    text: ['gamma listens on 7001', 'gamma moved from 7001 to 7002', 'gamma moved from 7002 to 7003'][i] ?? '',
  }))
  const filters = [
    { scene: 'deploy' },
    { source: 'tool' },
    { semanticType: 'fact' },
    { session: 's1' },
    { to: 2_000 },
    { from: 500, to: 2_500 },
  ]

  it.each(filters)('marks what it replaced: %j', filter => {
    for (const [notes, query] of [
      [facts, 'svc port'],
      [facts, '8080'],
      [sentences, 'gamma listens'],
    ] as const) {
      const result = ask(memoryOfNotes(...notes), query, { filters: filter, history: true })
      // What stays is the last value that may be shown, once, and it says that it is no longer true.
      expect(result.hits).toMatchObject([
        { text: notes[1]?.text, supersededBy: 'blk_0002', why: expect.stringContaining('replaced by blk_0002') },
      ])
      expect(result.superseded.map(({ text, by }) => ({ text, by }))).toMatchObject([
        { text: notes[1]?.text, by: 'blk_0002' },
        { text: notes[0]?.text },
      ])
    }
  })
  it('does so when a scene is listed, and for what is linked', () => {
    const db = memoryOfNotes(...facts, { text: 'zebra', scene: 'deploy', at: 2_000 })
    expect(ask(db, '', { filters: { scene: 'deploy/a' } }).hits).toMatchObject([
      { text: 'svc|port=8080', supersededBy: 'blk_0002' },
    ])
    db.prepare(
      "INSERT INTO memory_block_edges VALUES (1, 'block', 'blk_0003', 'block', 'blk_0000', 'uses', 'active')",
    ).run()
    const { hits } = ask(db, 'zebra', { filters: { scene: 'deploy' }, associate: 5 })
    expect(hits).toMatchObject([{ text: 'zebra' }, { text: 'svc|port=8080', supersededBy: 'blk_0002' }])
  })
  it('goes for explicit edges', () => {
    const db = memoryOfNotes({ text: 'alpha one', row: 1, scene: 'a' }, { text: 'beta two', row: 2, scene: 'b' })
    const edge = { supersedes: () => [{ loser: 1, winner: 2 }], filters: { scene: 'a' } }
    expect(ask(db, 'alpha', edge).hits).toMatchObject([{ text: 'alpha one', supersededBy: 'blk_0001' }])
    expect(ask(db, 'alpha', { ...edge, filters: {} }).hits).toMatchObject([{ text: 'beta two' }])
  })
  it('and that the request may not see at all is no matter', () => {
    const db = memoryOfNotes(...facts)
    const result = ask(db, 'svc port', { sessions: ['s1'], filters: { scene: 'deploy' }, history: true })
    expect(result.hits).toMatchObject([{ text: 'svc|port=8080' }])
    expect(result.hits[0]).not.toHaveProperty('supersededBy')
    expect(result.superseded.map(one => one.text)).toEqual(['svc|port=7000'])
    const within = ask(db, 'svc port', { within: ['blk_0000'], filters: { source: 'tool' }, history: true })
    expect(within).toMatchObject({ hits: [{ text: 'svc|port=7000' }], superseded: [] })
  })
  it('leaves a value alone that is the last one', () => {
    const { hits } = ask(memoryOfNotes(...facts), 'svc port', { filters: { scene: 'chat' } })
    expect(hits).toHaveLength(1)
    expect(hits[0]).not.toHaveProperty('supersededBy')
  })
})

describe('what was not found', () => {
  it('replaces all the same: a sentence that shares no word with the question', () => {
    const result = ask(memoryOfNotes('gamma listens on 7001', 'gamma moved from 7001 to 7002'), 'who listens', {
      history: true,
    })
    expect(texts(result)).toEqual(['gamma moved from 7001 to 7002'])
    expect(result.superseded).toMatchObject([{ text: 'gamma listens on 7001', by: 'blk_0001' }])
  })
  it('is followed to the end of the chain, by edges too', () => {
    const db = memoryOfNotes('alpha one', 'beta two', 'gamma three')
    const supersedes = (_: number, rows: readonly number[]) =>
      [
        { loser: 1, winner: 2 },
        { loser: 2, winner: 3 },
      ].filter(edge => rows.includes(edge.loser))
    expect(texts(ask(db, 'alpha', { supersedes }))).toEqual(['gamma three'])
    const moved = memoryOfNotes('gamma on 7001', 'gamma moved from 7001 to 7002', 'gamma moved from 7002 to 7003')
    expect(texts(ask(moved, '7001'))).toEqual(['gamma moved from 7002 to 7003'])
  })
  it.each([
    ['svc|port=8080', 'svc moved from 8080 to 9090'],
    ['svc listens on 8080', 'svc|port=9090 (old 8080 retired)'],
  ])('goes for a fact and a sentence: %s ← %s', (old, young) => {
    expect(texts(ask(memoryOfNotes(old, young), '8080'))).toEqual([young])
  })
  it('is not looked for by a number that stands everywhere', () => {
    const many = Array.from({ length: 70 }, (_, i) => `room ${String.fromCodePoint(0x4e00 + 9 * i)} has 4242 lamps`)
    const result = ask(memoryOfNotes('hall has 4242 lamps', ...many, 'hall moved from 4242 to 4243 lamps'), 'hall')
    // Both were found by their words, so the later one still wins.
    expect(texts(result)).toEqual(['hall moved from 4242 to 4243 lamps'])
  })
})

describe('explicit edges', () => {
  it('always win, against the later value too', () => {
    const db = memoryOfNotes({ text: 'svc|port=8080', row: 1 }, { text: 'svc|port=9090', row: 2 })
    const result = ask(db, 'svc port', { history: true, supersedes: () => [{ loser: 2, winner: 1 }] })
    expect(texts(result)).toEqual(['svc|port=8080'])
    expect(result.superseded).toMatchObject([{ text: 'svc|port=9090', reason: expect.stringContaining('link') }])
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
