import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { analyseQuery, analyseText } from '../../../src/readmodels/analyse/index.ts'
import { recall } from '../../../src/readmodels/recall/index.ts'
import { ask, emptyMemory, memoryOfNotes, remember, texts } from './memory.ts'

const SYNTAX =
  '" * ( ) : ^ - + , { } [ ] \\ \' % _ ; -- /* */ AND OR NOT NEAR( NEAR/3 rank tokens: memory_blocks_fts: {tokens}: - "a b"* ? @x $x :x \0 1_alpha 2_alpha alpha beta 部署 方案 8080 10.0.0.5 café svc|port='.split(
    ' ',
  )
const syntax = fc
  .array(fc.constantFrom(...SYNTAX, ' ', '  '), { maxLength: 30 })
  .chain(parts => fc.constantFrom('', ' ').map(joint => parts.join(joint)))
/** Every plane, lone surrogates included. */
const unicode = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 120 })
  .map(points => points.map(point => String.fromCodePoint(point)).join(''))
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 120 })
  .map(codes => codes.map(code => String.fromCharCode(code)).join(''))
const mixed = fc.array(fc.oneof(syntax, unicode, units), { maxLength: 4 }).map(parts => parts.join(' '))

const db = emptyMemory()
remember(db, [
  'alpha beta 8080',
  '部署方案 build-7',
  'svc|port=1',
  'svc|port=2',
  'café _ % "quoted"',
  'host 10.0.0.5 near the rank',
  'ไทย 한국어 カタカナ',
  'NOT AND OR NEAR',
  { text: 'alpha elsewhere', ns: 2 },
  { text: '部署 8080 rank elsewhere', ns: 2 },
  { text: 'svc|port=3', ns: 2 },
])
afterAll(() => db.close())

/**
 * Asks both namespaces, and checks that each hit is of the one that was asked and shares a token with the question: nothing
 * else may have brought it.
 */
function check(query: string): void {
  const asked = new Set(analyseQuery(query).terms.map(term => term.token))
  for (const ns of [1, 2]) checkIn(ns, query, asked)
}

function checkIn(ns: number, query: string, asked: ReadonlySet<string>): void {
  const { hits, superseded, degraded } = recall(db, { namespaces: [ns], query, topK: 5, history: true, associate: 2 })
  expect(degraded).toEqual([])
  for (const one of superseded) expect(one.ns).toBe(ns)
  for (const hit of hits) {
    expect(hit.ns).toBe(ns)
    expect(hit.score).toBeGreaterThan(0)
    expect(hit.score).toBeLessThanOrEqual(1.01)
    const shares = [...analyseText(hit.text).terms.keys()].some(token => asked.has(token))
    expect(shares || hit.why.startsWith('replaces')).toBe(true)
  }
}

describe('ten thousand questions', () => {
  it.each([
    ['of all of Unicode', fc.oneof(unicode, units, fc.string({ unit: 'binary', maxLength: 200 })), 4_000],
    ['of query syntax', syntax, 4_000],
    ['of both', mixed, 2_000],
  ] as const)('%s never throw, degrade or match by operator', (_, queries, numRuns) => {
    fc.assert(fc.property(queries, check), { numRuns })
  })

  it.each([
    ['a', 5_000_000],
    ['部', 2_000_000],
    ['"(', 1_000_000],
    ['8080 ', 1_000_000],
    ['a.', 2_000_000],
    ['alpha NOT ', 300_000],
    ['\ud800', 2_000_000],
    ['e\u0301\u0302', 700_000],
    ['10.0.0.5/', 200_000],
    ['a-', 1_000_000],
    ['？', 1_000_000],
    ['2024-01-02 ', 200_000],
  ])('of megabytes of %j are answered soon', (piece, times) => {
    const query = piece.repeat(times)
    const began = performance.now()
    check(query)
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  it('of a megabyte of anything are answered soon', () => {
    fc.assert(
      fc.property(mixed, part => {
        const began = performance.now()
        check(part.repeat(Math.ceil(1_000_000 / Math.max(1, part.length))))
        expect(performance.now() - began).toBeLessThan(3_000)
      }),
      { numRuns: 40 },
    )
  }, 240_000)
})

describe('an operator is a word', () => {
  const notes = memoryOfNotes('alpha beta', 'alphabet soup', 'gamma alpha', { text: 'omega', ns: 2 })
  it.each([
    ['alph*', []],
    ['alpha NOT beta', ['alpha beta', 'gamma alpha']],
    ['alpha AND omega', ['alpha beta', 'gamma alpha']],
    ['^beta', ['alpha beta']],
    ['"beta alpha"', ['alpha beta', 'gamma alpha']],
    ['NEAR(beta gamma, 0)', ['alpha beta', 'gamma alpha']],
    ['-alpha', ['alpha beta', 'gamma alpha']],
    ['{tokens}: soup', ['alphabet soup']],
    ['2_omega', []],
    ['1_alpha', []],
    ['omega', []],
    ["'; DROP TABLE memory_blocks; --", []],
  ])('in %j', (query, expected) => {
    const found = texts(ask(notes, query))
    expect(found.sort()).toEqual([...expected].sort())
  })
})
