/**
 * Case 32 in the read model: commands refuse NUL, but a log of another hand may bring it. The text stays as it came; in the
 * index a NUL is what stands between two words, however many there are.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { commit } from '../../support/events.ts'

const NOTES = ['valve \0\0 gate', `alpha ${'\0'.repeat(10_240)} omega`, 'nul\0between', 'plain note of the gate']
const store = new Store({ path: ':memory:', journal: '', keepJournal: true })
store.fold(NOTES.map((text, n) => commit(n + 1, text, { scene: `s${'\0'.repeat(n)}` })))
afterAll(() => store.close())

const ask = (query: string, filters = {}) =>
  store.recall({ query, scope: 'all', namespace: '', topK: 5, history: true, associate: 2, filters })

describe('NUL in stored texts', () => {
  it.each([
    ['gate\0x', [NOTES[0], NOTES[3]]],
    ['valve', [NOTES[0]]],
    ['\0omega\0', [NOTES[1]]],
    ['alpha\0\0omega', [NOTES[1]]],
    ['between', [NOTES[2]]],
    ['nul', [NOTES[2]]],
    ['\0', []],
  ])('is no obstacle to a question: %j', (query, found) => {
    const { hits, degraded } = ask(query)
    expect([hits.map(({ text }) => text).sort(), degraded]).toEqual([[...found].sort(), []])
  })

  it('is none in a question of thousands of them', () => {
    expect(ask(NOTES[1] ?? '').hits.map(({ text }) => text)).toEqual([NOTES[1]])
    expect(ask('\0'.repeat(10_240))).toMatchObject({ outcome: 'empty_query', hits: [], degraded: [] })
  })

  it.each([{ scene: 's\0' }, { session: 's1\0' }, { source: '\0' }, { semanticType: '\0x' }])('nor in %j', filters => {
    expect(ask('gate', filters).degraded).toEqual([])
  })

  it('leaves file and index whole', () => {
    expect(store.database.pragma('integrity_check', { simple: true })).toBe('ok')
    const names = store.database
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")
      .pluck()
      .all()
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) store.database.exec(`INSERT INTO ${name} (${name}) VALUES ('integrity-check')`)
  })
})
