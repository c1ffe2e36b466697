/** The search over codes, against exact comparison of everything. */
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import { encode, groupsOf } from '../../../src/readmodels/vectors/code/encode.ts'
import { tablesOf } from '../../../src/readmodels/vectors/code/question.ts'
import { rotate } from '../../../src/readmodels/vectors/code/rotate.ts'
import { dot, unit } from '../../../src/readmodels/vectors/floats.ts'
import { HeldShelves } from '../../../src/readmodels/vectors/held.ts'
import { forgetShelves, nearest } from '../../../src/readmodels/vectors/index.ts'
import { BLOCK, PAGE, product, roomOf, scanPage, writeCode } from '../../../src/readmodels/vectors/scan/page.ts'
import { Pages } from '../../../src/readmodels/vectors/scan/pages.ts'
import { embedded, NS_A, NS_B, runs } from '../../support/events.ts'
import { fold } from '../projector/folding.ts'
import { cosine, gaussian, namespaceNumber, near, nearTexts, randomVector, said } from './support.ts'

const DIMENSION = 64
const MANY = 1_500

interface Filled {
  readonly db: Database
  readonly vectors: readonly number[][]
  readonly events: readonly StoredEvent[]
}

/** Blocks with random vectors, enough of them that codes are used. */
function filled(seed: number, order: (events: StoredEvent[]) => StoredEvent[] = events => events): Filled {
  const next = gaussian(seed)
  const vectors = Array.from({ length: MANY }, () => randomVector(next, DIMENSION))
  const events = order(vectors.map((values, n) => said(n + 1, `text ${n}`, values)))
  return { db: fold(...events).db, vectors, events }
}

function exact(vectors: readonly number[][], question: readonly number[], k: number): string[] {
  return vectors
    .map((values, n) => ({ text: `text ${n}`, near: cosine(values.map(Math.fround), question.map(Math.fround)) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, k)
    .map(({ text }) => text)
}

function share(found: readonly string[], expected: readonly string[]): number {
  return expected.filter(text => found.includes(text)).length / expected.length
}

describe('the search over codes', () => {
  const { db, vectors } = filled(1)
  const next = gaussian(2)
  const questions = Array.from({ length: 30 }, () => randomVector(next, DIMENSION))

  it('finds what an exact search finds, with the exact cosines, comparing few', () => {
    let found = 0
    for (const question of questions) {
      const { hits, compared } = near(db, question)
      found += share(nearTexts(db, question), exact(vectors, question, 10))
      expect(compared).toBeLessThan(200)
      const [first] = hits
      const at = Number(/\d+/.exec(nearTexts(db, question, 1)[0] ?? '')?.[0])
      expect(first?.cosine).toBeCloseTo(cosine(vectors[at] ?? [], question), 6)
    }
    expect(found / questions.length).toBeGreaterThan(0.99)
  })

  it('finds the same without WebAssembly, without room for codes, and with little', () => {
    const usual = questions.map(question => near(db, question).hits)
    for (const held of [new HeldShelves(new Pages(64 << 20, false)), new HeldShelves(new Pages(2 * PAGE))]) {
      forgetShelves(db, held)
      expect(questions.map(question => near(db, question).hits)).toEqual(usual)
    }
    const none = new HeldShelves(new Pages(0))
    forgetShelves(db, none)
    questions.forEach((question, at) => {
      expect(near(db, question).hits).toEqual(usual[at])
    })
    expect(none.pages.held).toBe(0)
    forgetShelves(db)
  })

  it('does not depend on the order in which rows were written', () => {
    const backwards = filled(1, events => events.toReversed())
    for (const question of questions) {
      expect(nearTexts(backwards.db, question, 25)).toEqual(nearTexts(db, question, 25))
    }
    backwards.db.close()
  })

  it('sees only the rows that it may', () => {
    const [question = []] = questions
    const vector = Float32Array.from(question)
    const ns = namespaceNumber(db)
    const some = { namespaces: [ns], space: 'f', vector, k: 10, allowed: (row: number) => row % 7 === 0 }
    const { hits } = nearest(db, some)
    expect(hits).toHaveLength(10)
    expect(hits.every(({ row }) => row % 7 === 0)).toBe(true)
    const all = nearest(db, { ...some, allowed: undefined, k: MANY }).hits
    expect(all).toHaveLength(MANY)
    expect(hits).toEqual(all.filter(({ row }) => row % 7 === 0).slice(0, 10))
    expect(nearest(db, { ...some, allowed: () => false }).hits).toEqual([])
    expect(nearest(db, { ...some, namespaces: [] }).hits).toEqual([])
    expect(nearest(db, { ...some, k: 0 }).hits).toEqual([])
  })

  it('takes equally near ones in event order', () => {
    const same = Array.from({ length: DIMENSION }, (_, at) => (at === 3 ? 1 : 0))
    const twins = Array.from({ length: 700 }, (_, n) => said(n + 1, `twin ${n}`, same))
    const one = fold(...twins.toReversed())
    expect(nearTexts(one.db, same, 5)).toEqual(['twin 0', 'twin 1', 'twin 2', 'twin 3', 'twin 4'])
    one.db.close()
  })

  it('goes over several namespaces at once, and tells them apart', () => {
    const next = gaussian(9)
    const both = Array.from({ length: 1_200 }, (_, n) =>
      said(n + 1, `text ${n}`, randomVector(next, DIMENSION), 'f', { ns: n % 2 === 0 ? NS_A : NS_B }),
    )
    const { db: two } = fold(...both)
    const vector = Float32Array.from(questions[0] ?? [])
    const [a, b] = [namespaceNumber(two), namespaceNumber(two, NS_B.id)]
    const ask = (...namespaces: number[]) => nearest(two, { namespaces, space: 'f', vector, k: 20 }).hits
    const merged = [...ask(a), ...ask(b)].sort((x, y) => y.cosine - x.cosine).slice(0, 20)
    expect(ask(a, b)).toEqual(merged)
    expect(ask(a, b, a)).toEqual(merged)
    expect(new Set(ask(a).map(({ ns }) => ns))).toEqual(new Set([a]))
    two.close()
  })
})

describe('documents', () => {
  it('are looked for on their own', () => {
    const id = `doc_${'1'.repeat(24)}`
    const { db } = fold(said(1, 'a', [1, 0]), embedded(2, '', [0, 1], { target: { kind: 'document', id } }))
    const ask = { namespaces: [namespaceNumber(db)], space: 'f', vector: Float32Array.from([1, 1]), k: 5 }
    expect(nearest(db, ask).hits).toHaveLength(1)
    expect(nearest(db, { ...ask, kind: 'document' }).hits).toMatchObject([{ id }])
    db.close()
  })
})

describe('codes', () => {
  const dimensions = fc.constantFrom(32, 33, 100, 384, 1_000, 5_000)

  it('rotation keeps lengths and products', () => {
    fc.assert(
      fc.property(dimensions, fc.nat(), (dimension, seed) => {
        const next = gaussian(seed)
        const [a, b] = [unit(randomVector(next, dimension)), unit(randomVector(next, dimension))]
        const before = dot(a, b)
        rotate(a)
        rotate(b)
        expect(dot(a, a)).toBeCloseTo(1, 10)
        expect(dot(a, b)).toBeCloseTo(before, 10)
      }),
      runs(50),
    )
  })

  it('a whole code gives the product to a few hundredths, and the scan is its first half', () => {
    fc.assert(
      fc.property(dimensions, fc.nat(), (dimension, seed) => {
        const next = gaussian(seed)
        const count = BLOCK + 5
        const page = new Uint8Array(PAGE)
        const question = unit(randomVector(next, dimension))
        const tables = tablesOf(question)
        const sums = new Uint16Array(4_096)
        const half = groupsOf(dimension) / 2
        const seconds = new Uint8Array(count * half)
        const vectors = Array.from({ length: count }, () => Float32Array.from(unit(randomVector(next, dimension))))
        expect(roomOf(dimension)).toBeGreaterThanOrEqual(BLOCK)
        vectors.slice(0, BLOCK).forEach((values, place) => {
          const code = encode(values, undefined)
          writeCode(page, place, code.subarray(0, half))
          seconds.set(code.subarray(half), place * half)
        })
        scanPage(page, tables.entries, 1, sums)
        vectors.slice(0, BLOCK).forEach((values, place) => {
          const code = encode(values, undefined)
          let sum = 0
          for (let group = 0; group < tables.groups; group++) {
            sum += tables.entries[16 * group + (((code[group >> 1] ?? 0) >> (4 * (group & 1))) & 15)] ?? 0
          }
          expect(sums[place]).toBe(sum)
          expect(sum).toBeLessThanOrEqual(tables.highest)
          expect(tables.highest).toBeLessThanOrEqual(65_535)
          const near = product(tables.fine, page, place, seconds) / Math.sqrt(dimension)
          expect(Math.abs(near - dot(question, values))).toBeLessThan(0.6 / Math.sqrt(dimension))
        })
      }),
      runs(30),
    )
  })

  it('WebAssembly adds up what JavaScript does, bit for bit', () => {
    const fast = new Pages(4 * PAGE)
    expect(fast.fast).toBe(true)
    fc.assert(
      fc.property(fc.constantFrom(4, 8, 48, 192, 1_024), fc.nat(), (groups, seed) => {
        const next = gaussian(seed)
        const entries = Uint8Array.from({ length: 16 * groups }, () => Math.abs(Math.floor(next() * 100)) % 64)
        const blocks = Math.max(1, Math.floor(PAGE / (16 * groups) / 2))
        const page = fast.take() ?? fast.passing
        const bytes = fast.at(page)
        for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(next() * 256)
        const sums = new Uint16Array(4_096)
        const some = Math.min(blocks, 128)
        fast.ask(entries)
        scanPage(fast.at(page), entries, some, sums)
        expect(fast.scan(page, some).slice(0, some * BLOCK)).toEqual(sums.slice(0, some * BLOCK))
        fast.give(page)
      }),
      runs(20),
    )
  })
})
