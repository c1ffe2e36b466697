import type { Database } from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RecallResult, recall } from '../../../src/readmodels/recall/index.ts'
import { makeTiers, type Tier, type TierQuery } from '../../fixtures/tiers/generate.ts'
import { type SampleMemory, sampleMemories } from '../../fixtures/tiers/memories.ts'
import { memoryOfNotes } from './memory.ts'

/** What `injection.floor` should be: see "What a score means" in docs/recall.md. */
const FLOOR = 0.25

describe('tiers of questions over thousands of like blocks', () => {
  const { blocks, queries } = makeTiers()
  let db: Database
  beforeAll(() => {
    db = memoryOfNotes(...blocks.map(({ id, text }) => ({ id, text })))
  })
  afterAll(() => db.close())

  const answers = new Map<TierQuery, RecallResult>()
  function answerTo(query: TierQuery): RecallResult {
    const answer = answers.get(query) ?? recall(db, { namespaces: [1], query: query.text, topK: 10 })
    answers.set(query, answer)
    return answer
  }
  /** Share of the questions of some tiers whose answer fits. */
  function share(tiers: readonly Tier[], fits: (query: TierQuery, answer: RecallResult) => boolean): number {
    const asked = queries.filter(query => tiers.includes(query.tier))
    return asked.filter(query => fits(query, answerTo(query))).length / asked.length
  }
  const within =
    (places: number) =>
    ({ gold }: TierQuery, { hits }: RecallResult): boolean =>
      hits.slice(0, places).some(hit => hit.id === gold)
  const refused = (_: TierQuery, { outcome }: RecallResult): boolean => outcome === 'refused'

  it('is large enough, and says nothing twice', () => {
    expect(new Set(blocks.map(block => block.text)).size).toBe(blocks.length)
    expect(blocks.length).toBeGreaterThan(5_000)
    for (const tier of [1, 2, 3, 4, 'absent', 'changed'] as const) {
      for (const language of ['en', 'zh'] as const) {
        expect(queries.filter(query => query.tier === tier && query.language === language)).toHaveLength(100)
      }
    }
  })
  it('1: finds exact symbols first, always', () => expect(share([1], within(1))).toBe(1))
  it('2: finds words of the trade among the first three', () =>
    expect(share([2], within(3))).toBeGreaterThanOrEqual(0.98))
  it('3: finds descriptions as far as words go', () => {
    // Measured .705: paraphrase is the vector path's work. The bound only tells when it gets worse.
    expect(share([3], within(10))).toBeGreaterThanOrEqual(0.65)
  })
  it('4: refuses symbols that are not stored', () => expect(share([4], refused)).toBeGreaterThanOrEqual(0.95))
  it('4: answers absent names in words, which the rule for refusing leaves alone, with little above a floor', () => {
    expect(share(['absent'], refused)).toBe(0)
    // Measured .40: the two questions of five that others do answer. The bound only tells when it gets worse.
    expect(share(['absent'], (_, { hits }) => (hits[0]?.score ?? 0) >= FLOOR)).toBeLessThanOrEqual(0.45)
    expect(share(['absent'], (_, { hits }) => hits.some(hit => hit.exact))).toBe(0)
  })
  it('refuses nothing that is stored', () => expect(share([1, 2, 3, 'changed'], refused)).toBeLessThanOrEqual(0.01))
  it('puts the later of two values first', () => expect(share(['changed'], within(1))).toBeGreaterThanOrEqual(0.99))
})

/** Share of questions whose right block is not among the hits above the floor, and of questions about nothing stored whose best hit is. */
function measure(memories: readonly SampleMemory[]): { lost: number; through: number } {
  const right: number[] = [] // 0 for what is not found at all
  const wrong: number[] = []
  for (const { blocks, answered, elsewhere } of memories) {
    const db = memoryOfNotes(...blocks)
    const ask = (query: string) => recall(db, { namespaces: [1], query, topK: 5 }).hits
    for (const { text, gold } of answered) {
      right.push(ask(text).find(one => one.id === gold)?.score ?? 0)
    }
    for (const query of elsewhere) wrong.push(ask(query)[0]?.score ?? 0)
    db.close()
  }
  const lost = right.filter(score => score < FLOOR).length / right.length
  return { lost, through: wrong.filter(score => score >= FLOOR).length / wrong.length }
}

describe('one floor for both languages and every size', () => {
  const byKind = Map.groupBy(sampleMemories(), ({ language, size }) => `${language} ${size}`)
  const found: { readonly kind: string; readonly lost: number; readonly through: number }[] = []
  beforeAll(() => {
    for (const [kind, memories] of byKind) found.push({ kind, ...measure(memories) })
  }, 240_000)

  it('loses hardly any answers', () => {
    // Measured .021, at most .052 (Chinese, 15), where it is one question; a block that is not found counts as lost.
    for (const { kind, lost } of found) expect(lost, kind).toBeLessThanOrEqual(0.06)
    expect(found.reduce((sum, { lost }) => sum + lost, 0) / found.length).toBeLessThanOrEqual(0.025)
  })
  it('keeps most of what has nothing to do with the question away', () => {
    for (const { kind, through } of found) expect(through, kind).toBeLessThanOrEqual(0.2)
  })
  it('is passed by a plain Chinese question in a memory of five facts', () => {
    const db = memoryOfNotes(
      '生产环境只在每周四晚上发布，周五禁止上线。',
      '数据库备份文件放在 NAS 的 backups 目录，保留三十天。',
      '计费服务由王敏负责，改发票前先问她。',
      '登录页必须在没有脚本的情况下也能用。',
      '冷库传感器每十分钟上报一次。',
    )
    for (const query of ['想上线一个热修复，周几晚上可以发布？', '备份文件在哪个目录？']) {
      const [first] = recall(db, { namespaces: [1], query, topK: 5, floor: FLOOR }).hits
      expect(first?.text).toMatch(/晚上发布|备份文件/)
    }
    expect(recall(db, { namespaces: [1], query: '蒙古的首都是哪里？', topK: 5, floor: FLOOR }).hits).toEqual([])
    db.close()
  })
})
