import { describe, expect, it } from 'vitest'
import { ask, memoryOfNotes, texts } from './memory.ts'

describe('case 1: query syntax of the index never reaches it', () => {
  const db = memoryOfNotes(
    'service alpha-compose runs on host h1',
    'plan (draft) for week 12',
    'throughput 3 GB/s on link B',
    'ubuntu 20.04 base image',
  )

  it.each([
    ["what's the plan?", 'plan (draft) for week 12'],
    ['alpha-compose', 'service alpha-compose runs on host h1'],
    ['plan (draft)', 'plan (draft) for week 12'],
    ['GB/s', 'throughput 3 GB/s on link B'],
    ['20.04', 'ubuntu 20.04 base image'],
    ['ubuntu NOT image', 'ubuntu 20.04 base image'],
    ['"ubuntu" OR', 'ubuntu 20.04 base image'],
    ['ubuntu* AND (', 'ubuntu 20.04 base image'],
    ['ubuntu ^ -link', 'ubuntu 20.04 base image'],
    ['{tokens} : ubuntu', 'ubuntu 20.04 base image'],
  ])('%s → %s', (query, first) => {
    expect(texts(ask(db, query))[0]).toBe(first)
  })

  it.each([
    'title:x',
    'tokens:plan',
    '"open quote',
    'C++',
    'node:sqlite',
    'foo.bar()',
    '*',
    'AND',
    'NEAR',
    'NEAR(a b, 5)',
    "'; DROP TABLE symbol; --",
    '-',
    '+',
    '""',
    '\\',
    '%',
    '_',
  ])('%s is text and throws nothing', query => {
    ask(db, query)
  })

  it.each(['', '   ', '\n\t', '*'])('%j is answered with a reason', query => {
    expect(ask(db, query)).toMatchObject({ hits: [], outcome: 'empty_query', notice: expect.any(String) })
  })

  it('does not match by prefix or operator', () => {
    expect(texts(ask(db, 'ubunt*'))).toEqual([])
    expect(texts(ask(memoryOfNotes('link GBs here', 'link GB/s there'), 'GB/s'))[0]).toBe('link GB/s there')
  })
})

describe('case 3: any part of a Chinese run is found', () => {
  const notes = ['用户身份校验在网关层完成', '部署方案今天讨论完毕', '𠮷野家的分店在三楼']
  const db = memoryOfNotes(...notes)
  it.each([
    ['用户身份', 0],
    ['身份校验', 0],
    ['网关', 0],
    ['校验在', 0],
    ['部署', 1],
    ['方案', 1],
    ['讨论完毕', 1],
    ['署方案今', 1],
    ['猫', -1],
    ['层', 0],
    ['𠮷野', 2],
    ['分店', 2],
  ])('%s', (query, at) => {
    expect(texts(ask(db, query))[0]).toBe(notes[at])
  })
  it('finds simplified by traditional and the reverse', () => {
    expect(texts(ask(db, '網關層'))[0]).toBe(notes[0])
    expect(texts(ask(memoryOfNotes('資料庫連線逾時'), '资料库'))).toEqual(['資料庫連線逾時'])
  })
})

describe('case 4: identifiers and digits glued to Chinese', () => {
  const db = memoryOfNotes('第三步重跑build-alpha后生成12条记录', '端口8443已改给svc-beta用')
  it.each(['build', 'alpha', 'build-alpha', '12', '请问build-alpha呢', '生成12条'])('%s', query => {
    expect(texts(ask(db, query))[0]).toContain('build-alpha')
  })
  it.each(['8443', 'svc-beta', '端口8443', '给svc-beta用'])('%s', query => {
    expect(texts(ask(db, query))[0]).toContain('svc-beta')
  })
})

describe('case 6: % and _ are letters', () => {
  const db = memoryOfNotes('file_a is ready', 'fileXa is ready', 'rate is 100% now', 'rate is 100 now')
  it.each([
    ['file_a', ['file_a is ready']],
    ['fileXa', ['fileXa is ready']],
    ['100%', ['rate is 100% now']],
  ])('%s', (query, expected) => {
    expect(texts(ask(db, query))).toEqual(expected)
  })
  it('a scene filter is exact or below, never wider', () => {
    const scenes = memoryOfNotes(
      { text: 'alpha one', scene: 'chan:qq/room_a' },
      { text: 'alpha two', scene: 'chan:qq/room_a/x' },
      { text: 'alpha three', scene: 'chan:qq/roomXa/x' },
      { text: 'alpha four', scene: 'chan:qq/room_ab' },
    )
    expect(texts(ask(scenes, 'alpha', { filters: { scene: 'chan:qq/room_a' } }))).toEqual(['alpha one', 'alpha two'])
    expect(texts(ask(scenes, 'alpha', { filters: { scene: 'chan:qq/room_' } }))).toEqual([])
    expect(texts(ask(scenes, 'alpha', { filters: { scene: '%' } }))).toEqual([])
  })
})

describe('case 7: forms of one character', () => {
  const notes = ['meet at café north', '端口为１３０１０，版本ｖ２．３', 'Straße ﬁnder']
  const db = memoryOfNotes(...notes)
  it.each([
    ['caf\u00e9 north', 0],
    ['cafe\u0301 north', 0],
    ['CAFÉ', 0],
    ['13010', 1],
    ['v2.3', 1],
    ['１３０１０', 1],
    ['Ｖ２．３', 1],
    ['STRASSE', 2],
    ['finder', 2],
  ])('%s', (query, at) => {
    const { hits } = ask(db, query)
    expect(hits[0]?.text).toBe(notes[at])
  })
  it.each(['13010', '１３０１０', 'v2.3'])('%s pins', query => {
    expect(ask(db, query).hits[0]?.exact).toBe(true)
  })
})

describe('case 11: numbers are whole tokens', () => {
  const db = memoryOfNotes(
    'svc a listens on 8021',
    'svc b listens on 18021',
    'svc c listens on 80219',
    'host is 10.0.0.5',
    'host is 10.0.0.55',
    'build 1.2.3',
    'build 1.2.30',
    'id 3f2a0c11-0000-4000-8000-0000000000aa',
    'temp is -5 C',
    'limit is 5 C',
    'utf8 text',
    '在10.0.0.7:80上',
  )
  const exact = (query: string): string[] =>
    ask(db, query)
      .hits.filter(hit => hit.exact)
      .map(hit => hit.text)

  it.each([
    ['port 8021', ['svc a listens on 8021']],
    ['10.0.0.5', ['host is 10.0.0.5']],
    ['1.2.3', ['build 1.2.3']],
    ['3f2a0c11-0000-4000-8000-0000000000aa', ['id 3f2a0c11-0000-4000-8000-0000000000aa']],
    ['-5', ['temp is -5 C']],
    ['v5', []],
    ['5', []],
    ['8', []],
    ['a', []],
    ['802', []],
    ['80219?', ['svc c listens on 80219']],
    ['10.0.0', []],
    ['10.0.0.7', ['在10.0.0.7:80上']],
    ['10.0.0.7:80', ['在10.0.0.7:80上']],
    ['80', ['在10.0.0.7:80上']],
    ['utf8', []],
  ])('%s pins %j', (query, expected) => {
    expect(exact(query)).toEqual(expected)
  })

  it('puts the pinned block first, above 1, and the others below', () => {
    const { hits } = ask(db, 'which svc listens on 8021')
    expect(hits[0]).toMatchObject({ text: 'svc a listens on 8021', exact: true })
    expect(hits[0]?.score).toBeGreaterThan(1)
    expect(hits[0]?.score).toBeLessThanOrEqual(1.01)
    for (const hit of hits.slice(1))
      expect(hit).toMatchObject({ exact: false, score: expect.toSatisfy((s: number) => s > 0 && s <= 1) })
  })

  it('puts an exact word before a word it is a prefix of', () => {
    expect(texts(ask(memoryOfNotes('billing2 runs on beta', 'billing runs on alpha'), 'billing'))[0]).toBe(
      'billing runs on alpha',
    )
  })
})
