import { describe, expect, it } from 'vitest'
import { clearRecallIndex, indexBlock, unindexBlock } from '../../../src/readmodels/recall/index.ts'
import { ask, emptyMemory, memoryOfNotes, remember, texts } from './memory.ts'

describe('what a request may see', () => {
  const db = memoryOfNotes(
    { text: 'alpha one', source: 'tool', semanticType: 'fact', at: 100, sources: ['s1', 's2'] },
    { text: 'alpha two', source: 'api', semanticType: 'fact', at: 200, sources: ['s2'] },
    { text: 'alpha three', source: 'tool', semanticType: 'note', at: 300 },
    { text: 'alpha other', ns: 2, at: 100 },
  )
  it.each([
    [{ filters: { source: 'tool' } }, ['alpha one', 'alpha three']],
    [{ filters: { semanticType: 'fact' } }, ['alpha one', 'alpha two']],
    [{ filters: { from: 200 } }, ['alpha two', 'alpha three']],
    [{ filters: { to: 200 } }, ['alpha one', 'alpha two']],
    [{ filters: { from: 150, to: 250, source: 'api' } }, ['alpha two']],
    [{ filters: { session: 's1' } }, ['alpha one']],
    [{ sessions: ['s2'] }, ['alpha one', 'alpha two']],
    [{ sessions: [] }, []],
    [{ within: ['blk_0001', 'blk_0003', 'no'] }, ['alpha two']],
    [{ namespaces: [2] }, ['alpha other']],
    [{ namespaces: [1, 2, 2] }, ['alpha one', 'alpha two', 'alpha three', 'alpha other']],
  ])('%j', (rest, expected) => {
    expect(texts(ask(db, 'alpha', rest)).sort()).toEqual([...expected].sort())
  })

  it('pages without gap or repetition', () => {
    const many = memoryOfNotes(...Array.from({ length: 25 }, (_, i) => `alpha number${String.fromCharCode(97 + i)}`))
    const all = texts(ask(many, 'alpha', { topK: 25 }))
    const paged = [0, 10, 20].flatMap(offset => texts(ask(many, 'alpha', { topK: 10, offset })))
    expect(paged).toEqual(all)
    expect(new Set(all).size).toBe(25)
  })

  it('ranks a namespace by its own words only', () => {
    const alone = memoryOfNotes('alpha beta', 'alpha gamma')
    const beside = memoryOfNotes(
      'alpha beta',
      'alpha gamma',
      ...Array.from({ length: 50 }, (_, i) => ({ text: `beta ${i} filler`, ns: 2 })),
    )
    const shape = (db: ReturnType<typeof emptyMemory>): unknown =>
      ask(db, 'alpha beta').hits.map(({ text, score, why }) => ({ text, score, why }))
    expect(shape(beside)).toEqual(shape(alone))
  })
})

describe('equal scores', () => {
  it('come in event order, also when there are more than are scored', () => {
    const order = Array.from({ length: 700 }, (_, i) => i)
    const notes = order.map(i => ({
      text: `alpha ${String.fromCodePoint(0x4e00 + 7 * i)}`,
      clock: 1 + ((i * 389) % 700),
      id: `b${i}`,
    }))
    const db = memoryOfNotes(...notes)
    const first = [...notes].sort((a, b) => a.clock - b.clock).slice(0, 10)
    expect(texts(ask(db, 'alpha'))).toEqual(first.map(note => note.text))
  })
  it('come by event id when clocks are equal', () => {
    const notes = Array.from({ length: 300 }, (_, i) => ({
      text: `alpha ${String.fromCodePoint(0x4e00 + 7 * i)}`,
      clock: 1,
      event: `evt_${String((i * 7) % 300).padStart(3, '0')}`,
      id: `b${i}`,
    }))
    const first = [...notes].sort((a, b) => (a.event < b.event ? -1 : 1)).slice(0, 10)
    expect(texts(ask(memoryOfNotes(...notes), 'alpha'))).toEqual(first.map(note => note.text))
  })
})

describe('what was written a moment ago', () => {
  it('is seen by the next recall, whatever was cached', () => {
    const db = emptyMemory()
    for (let i = 0; i < 20; i++) {
      remember(db, [`alpha ${i}x`])
      expect(ask(db, 'alpha', { topK: 100 }).hits).toHaveLength(i + 1)
    }
  })
  it('is gone when taken out, and back when put in again', () => {
    const db = memoryOfNotes({ text: 'alpha one 8080', row: 1 }, { text: 'alpha two', row: 2 })
    expect(texts(ask(db, 'alpha'))).toHaveLength(2)
    unindexBlock(db, 1)
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha two'])
    expect(ask(db, '8080').outcome).toBe('refused')
    indexBlock(db, { row: 1, ns: 1, canonicalText: 'alpha one 8080', clock: 1, event: 'evt_000001' })
    expect(texts(ask(db, 'alpha'))).toHaveLength(2)
    expect(ask(db, '8080').hits[0]?.exact).toBe(true)
    unindexBlock(db, 99)
  })
  it('is not seen when its transaction was rolled back', () => {
    const db = memoryOfNotes('alpha one')
    ask(db, 'alpha')
    expect(() =>
      db.transaction(() => {
        remember(db, ['alpha two'])
        throw new Error('no')
      })(),
    ).toThrow('no')
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha one'])
    remember(db, ['alpha three'])
    expect(texts(ask(db, 'alpha')).sort()).toEqual(['alpha one', 'alpha three'])
  })
})

describe('an index emptied in place', () => {
  it('holds nothing, and fills again with nothing left over', () => {
    const db = memoryOfNotes('alpha one 8080', 'alpha two')
    ask(db, 'alpha')
    clearRecallIndex(db)
    expect(ask(db, 'alpha 8080').outcome).toBe('nothing_stored')
    indexBlock(db, { row: 2, ns: 1, canonicalText: 'alpha two', clock: 2, event: 'evt_000002' })
    expect(texts(ask(db, 'alpha'))).toEqual(['alpha two'])
  })
})
