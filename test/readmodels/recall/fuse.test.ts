import { describe, expect, it } from 'vitest'
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
