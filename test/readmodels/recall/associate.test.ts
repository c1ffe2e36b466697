import type { Database } from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { blockId, type StoredEvent } from '../../../src/events/index.ts'
import type { RecallAnswer, RecallRequest } from '../../../src/readmodels/index.ts'
import { recall } from '../../../src/readmodels/recall/index.ts'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { commit, NS_A, NS_B } from '../../support/events.ts'
import { fold } from '../projector/folding.ts'
import { link, merge, purge, unlink } from './events.ts'

function ask(db: Database, query: string, rest: Partial<RecallRequest> = {}): RecallAnswer {
  const request = { query, scope: 'namespace', namespace: NS_A.id, topK: 1, associate: 10, ...rest } as const
  const answer = answerRecall(db, request, [], 0)
  expect(answer.degraded).toEqual([])
  return { ...answer, clock: 0 }
}
const texts = (answer: RecallAnswer): string[] => answer.hits.map(hit => hit.text)

/** Commits texts, then ties them in a row: the first with the second, and so on. */
function chain(...said: string[]): StoredEvent[] {
  return [
    ...said.map((text, i) => commit(i + 1, text)),
    ...said.slice(1).map((text, i) => link(100 + i, said[i] ?? '', text)),
  ]
}

describe('association', () => {
  const far = ['alpha root', 'one hop', 'two hops', 'three hops', 'four hops']

  it('appends what edges lead to, nearer first, and says how', () => {
    const { db } = fold(...chain(...far))
    const answer = ask(db, 'alpha')
    expect(texts(answer)).toEqual(far.slice(0, 4))
    const [root, one, two, three] = answer.hits
    expect(one?.score).toBeCloseTo((root?.score ?? 0) / 2, 12)
    expect(two?.score).toBeCloseTo((root?.score ?? 0) / 3, 12)
    expect(one?.why).toBe(`linked to ${blockId('alpha root')} (relates)`)
    expect(three?.why).toBe(`linked to ${blockId('two hops')} (relates, 3 steps from ${blockId('alpha root')})`)
    expect(answer.hits.map(hit => hit.exact)).toEqual([false, false, false, false])
  })
  it('is not done unless asked for, and brings no more than asked for', () => {
    const { db } = fold(...chain(...far))
    expect(texts(ask(db, 'alpha', { associate: 0 }))).toEqual(['alpha root'])
    expect(texts(ask(db, 'alpha', { associate: 1 }))).toEqual(['alpha root', 'one hop'])
    for (const associate of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(ask(db, 'alpha', { associate }).hits[0]?.text).toBe('alpha root')
  })
  it('walks edges both ways and through circles', () => {
    const { db } = fold(
      ...chain('alpha root', 'b', 'c'),
      link(200, 'c', 'alpha root'),
      link(201, 'd', 'c'),
      commit(50, 'd'),
    )
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha root', 'b', 'c', 'd'])
  })
  it('repeats none of the hits, and stays behind them', () => {
    const { db } = fold(
      commit(1, 'alpha one'),
      commit(2, 'alpha two'),
      commit(3, 'other'),
      link(4, 'alpha one', 'alpha two'),
      link(5, 'alpha one', 'other'),
    )
    expect(texts(ask(db, 'alpha', { topK: 5 }))).toEqual(['alpha one', 'alpha two', 'other'])
  })
  it('walks through entities, which are no hits themselves', () => {
    const { db } = fold(
      commit(1, 'alpha root'),
      commit(2, 'shares an entity'),
      link(3, 'alpha root', 'x', { targetKind: 'entity', targetId: 'Ann' }),
      link(4, 'shares an entity', 'x', { targetKind: 'entity', targetId: 'Ann' }),
    )
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha root', 'shares an entity'])
  })
  it('follows merges, and ends where a block was purged or an edge was ended', () => {
    const { db } = fold(
      ...chain('alpha root', 'dropped', 'beyond the dropped'),
      commit(10, 'kept'),
      commit(11, 'purged'),
      commit(12, 'beyond the purged'),
      commit(13, 'unlinked'),
      link(110, 'alpha root', 'purged'),
      link(111, 'purged', 'beyond the purged'),
      link(112, 'alpha root', 'unlinked'),
      merge(120, 'kept', 'dropped'),
      purge(121, ['purged']),
      unlink(122, 'alpha root', 'unlinked'),
    )
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha root', 'kept', 'beyond the dropped'])
  })
  it('never leaves its namespace, nor the session or the filters asked for', () => {
    const { db } = fold(
      ...chain('alpha root', 'mine', 'behind mine'),
      commit(20, 'theirs', { ns: NS_B }),
      commit(21, 'mine', { ns: NS_B }),
      link(22, 'mine', 'theirs', { ns: NS_B }),
      link(23, 'alpha root', 'theirs'),
    )
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha root', 'mine', 'behind mine'])
    // Not even through what may not be seen: `behind mine` is within, but only `mine` leads there.
    const within = [blockId('alpha root'), blockId('behind mine')]
    expect(texts(ask(db, 'alpha', { scope: 'session', within }))).toEqual(['alpha root'])
    expect(texts(ask(db, 'alpha', { filters: { source: 'none' } }))).toEqual([])
    // Namespaces seen together are still walked each for itself.
    expect(texts(ask(db, 'alpha', { scope: 'all' }))).toEqual(['alpha root', 'mine', 'behind mine'])
  })
  it('gives what was replaced as what replaced it', () => {
    const { db } = fold(
      commit(1, 'alpha root'),
      commit(2, 'svc|port=1'),
      commit(3, 'svc|port=2'),
      commit(4, 'old way'),
      commit(5, 'new way'),
      link(6, 'alpha root', 'svc|port=1'),
      link(7, 'alpha root', 'old way'),
      link(8, 'new way', 'old way', { type: 'supersedes' }),
    )
    const answer = ask(db, 'alpha', { history: true })
    expect(texts(answer)).toEqual(['alpha root', 'svc|port=2', 'new way'])
    expect(answer.superseded.map(one => one.text).sort()).toEqual(['old way', 'svc|port=1'])
  })
  it('keeps to the floor', () => {
    const { db } = fold(...chain(...far))
    const [root] = ask(db, 'alpha').hits
    expect(texts(ask(db, 'alpha', { floor: (root?.score ?? 1) / 2.5 }))).toEqual(['alpha root', 'one hop'])
  })
  it('answers from a hub of ten thousand soon, in event order, and does not walk through one', () => {
    const many = 10_000
    const { db } = fold(
      commit(1, 'alpha hub'),
      commit(2, 'beta leaf'),
      ...Array.from({ length: many }, (_, i) => commit(10 + i, `spoke ${i} of many`)),
      ...Array.from({ length: many }, (_, i) => link(20_000 + i, 'alpha hub', `spoke ${many - 1 - i} of many`)),
      link(50_000, 'beta leaf', 'alpha hub'),
    )
    const began = performance.now()
    const answer = ask(db, 'alpha', { associate: 5 })
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(texts(answer)).toEqual(['alpha hub', 'beta leaf', ...[0, 1, 2, 3].map(i => `spoke ${i} of many`)])
    expect(texts(ask(db, 'beta'))).toEqual(['beta leaf', 'alpha hub'])
  }, 120_000)
})

it('that fails leaves the hits, and says so', () => {
  const { db } = fold(commit(1, 'alpha root'))
  db.exec('DROP TABLE memory_block_edges')
  const request = { namespaces: [1], query: 'alpha', topK: 3, associate: 2 }
  const { hits, degraded } = recall(db, request)
  expect(hits).toHaveLength(1)
  expect(degraded).toEqual([expect.stringMatching(/^association_failed: /)])
})
