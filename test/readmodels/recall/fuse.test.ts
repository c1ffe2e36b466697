import { describe, expect, it } from 'vitest'
import { recall } from '../../../src/readmodels/recall/index.ts'
import { ask, memoryOfNotes, texts } from './memory.ts'

const db = memoryOfNotes('alpha beta', 'alpha', 'gamma 8080', { text: 'alpha elsewhere', ns: 2 })
const near = (...rows: number[]): { row: number; ns: number; similarity: number }[] =>
  rows.map((row, place) => ({ row, ns: row === 4 ? 2 : 1, similarity: 0.9 - place / 10 }))

describe('words and vectors', () => {
  it('without vectors are words alone', () => {
    expect(ask(db, 'alpha beta', { vectors: [] })).toEqual(ask(db, 'alpha beta'))
  })
  it('bring in blocks that share no word', () => {
    const { hits } = ask(db, 'omega', { vectors: near(2, 1) })
    expect(hits.map(hit => hit.text)).toEqual(['alpha', 'alpha beta'])
    expect(hits[0]).toMatchObject({ exact: false, why: 'close in meaning (0.90)' })
  })
  it('leave pins above everything', () => {
    const { hits } = ask(db, 'alpha 8080', { vectors: near(1, 2) })
    expect(hits[0]).toMatchObject({ text: 'gamma 8080', exact: true })
    for (const hit of hits.slice(1)) expect(hit.score).toBeLessThanOrEqual(1)
  })
  it('never show what the request may not see', () => {
    expect(texts(ask(db, 'alpha', { vectors: near(4) }))).not.toContain('alpha elsewhere')
    expect(texts(ask(db, 'alpha', { vectors: [{ row: 4, ns: 1, similarity: 1 }] }))).not.toContain('alpha elsewhere')
    const filtered = memoryOfNotes({ text: 'one', source: 'a', row: 1 }, { text: 'two', source: 'b', row: 2 })
    expect(texts(ask(filtered, 'zero', { vectors: near(1, 2), filters: { source: 'a' } }))).toEqual(['one'])
  })
  it('skip what is no number, no row or a repetition', () => {
    const vectors = [
      ...near(2),
      { row: 2, ns: 1, similarity: 0.1 },
      { row: 1, ns: 1, similarity: Number.NaN },
      { row: 99, ns: 1, similarity: 1 },
    ]
    expect(texts(ask(db, 'omega', { vectors }))).toEqual(['alpha'])
  })
  it.each(['rank', 'weighted'] as const)('keep scores within 0 to 1 by %s', fusion => {
    for (const hit of ask(db, 'alpha beta', { vectors: near(1, 2), fusion }).hits) {
      expect(hit.score).toBeGreaterThan(0)
      expect(hit.score).toBeLessThanOrEqual(1)
    }
  })
})

describe('a floor, where words and vectors are fused by places', () => {
  const vectors = [
    { row: 2, ns: 1, similarity: 0.9, relevance: 0.6 },
    { row: 1, ns: 1, similarity: 0.85, relevance: 0.05 },
  ]
  it('cuts a hit that only vectors found by how much it has to do with the question, not by its place', () => {
    expect(texts(ask(db, 'omega', { vectors }))).toEqual(['alpha', 'alpha beta'])
    expect(texts(ask(db, 'omega', { vectors, floor: 0.15 }))).toEqual(['alpha'])
    const far = vectors.map(hit => ({ ...hit, relevance: 0.1 }))
    expect(ask(db, 'omega', { vectors: far, floor: 0.15 })).toMatchObject({
      hits: [],
      outcome: 'below_floor',
      counters: { skipped: { below_floor: 2 } },
    })
  })
  it('is compared with what is shown: relevance by words or by meaning, whichever is higher', () => {
    const words = new Map(ask(db, 'alpha beta').hits.map(({ text, score }) => [text, score]))
    for (const { text, score } of ask(db, 'alpha beta', { vectors }).hits) {
      const [near] = vectors.filter(({ row }) => (row === 2 ? 'alpha' : 'alpha beta') === text)
      expect(score).toBe(Math.max(words.get(text) ?? 0, near?.relevance ?? 0))
    }
  })
})

describe('weights of one recall', () => {
  const vectors = near(2, 1)
  const shape = (rest: object): unknown =>
    ask(db, 'alpha beta', { vectors, ...rest }).hits.map(({ text, score }) => ({ text, score }))

  it.each(['rank', 'weighted'] as const)('that leave %s fusion to words give the ranking of words', fusion => {
    const words = ask(db, 'alpha beta').hits
    expect(ask(db, 'alpha beta', { vectors, fusion, weights: { vectors: 0, words: 3 } }).hits).toEqual(words)
  })
  it('that leave it to vectors give theirs', () => {
    const { hits } = ask(db, 'alpha beta', { vectors, weights: { vectors: 1, words: 0 } })
    expect(hits.map(hit => hit.text)).toEqual(['alpha', 'alpha beta'])
  })
  it('are those of the fusion when none are given, and only their ratio counts', () => {
    expect(shape({ weights: { vectors: 0.6, words: 0.4 } })).toEqual(shape({}))
    expect(shape({ fusion: 'weighted', weights: { vectors: 0.7, words: 0.3 } })).toEqual(shape({ fusion: 'weighted' }))
    expect(shape({ weights: { vectors: 2, words: 6 } })).toEqual(shape({ weights: { vectors: 0.25, words: 0.75 } }))
    expect(shape({ weights: { vectors: 1e308, words: 1e308 } })).toEqual(shape({ weights: { vectors: 1, words: 1 } }))
  })
  it.each([
    { vectors: -1, words: 1 },
    { vectors: 0, words: 0 },
    { vectors: Number.NaN, words: 1 },
  ])('that are none (%j) are named, and the answer is that of words', weights => {
    const result = recall(db, { namespaces: [1], query: 'alpha beta', topK: 10, vectors, weights })
    expect(result.degraded).toEqual([expect.stringContaining('fusion_failed: weights')])
    expect(result.hits).toEqual(ask(db, 'alpha beta').hits)
  })
})

describe('several questions in one recall', () => {
  it('keep each block’s best score', () => {
    const { hits } = ask(db, 'alpha beta', { alsoAsk: ['gamma', ''] })
    expect(hits.map(hit => hit.text).sort()).toEqual(['alpha', 'alpha beta', 'gamma 8080'])
    expect(ask(db, '', { alsoAsk: ['gamma'] }).hits).toHaveLength(1)
  })
  it('are refused only together', () => {
    expect(ask(db, 'port 9999', { alsoAsk: ['port 9998'] }).outcome).toBe('refused')
    expect(ask(db, 'port 9999', { alsoAsk: ['alpha'] }).outcome).toBe('hits')
  })
})
