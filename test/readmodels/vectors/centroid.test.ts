/** The centroid of a space: what it is of, when it applies, when it is due, and what it does to a ranking. */
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode } from '../../../src/readmodels/vectors/code/encode.ts'
import { readFloats } from '../../../src/readmodels/vectors/floats.ts'
import {
  buildCentroid,
  type Centroid,
  centroidSteps,
  checkpoint,
  dueCentroids,
  findSpace,
  isCentred,
  isCentroidDue,
  lease,
  readCentroid,
  spaceDimension,
} from '../../../src/readmodels/vectors/index.ts'
import { CENTRING } from '../../../src/readmodels/vectors/settings.ts'
import { codeCentre } from '../../../src/readmodels/vectors/spaces.ts'
import { NS_B, runs, space } from '../../support/events.ts'
import { count, dump, fold } from '../projector/folding.ts'
import { cosine, gaussian, near, nearTexts, purged, randomVector, said } from './support.ts'

const DEGREE = Math.PI / 180

/** Directions spread over a cone of ±35° around the first axis, in three dimensions. */
function cone(count: number): number[][] {
  return Array.from({ length: count }, (_, n) => {
    const off = 35 * DEGREE * Math.sqrt((n + 0.5) / count)
    const round = n * 2.399963
    return [Math.cos(off), Math.sin(off) * Math.cos(round), Math.sin(off) * Math.sin(round)]
  })
}

function filled(vectors: readonly (readonly number[])[], over = {}): Database {
  return fold(...vectors.map((values, n) => said(n + 1, `text ${n}`, values, 'f', over))).db
}

function built(db: Database): Centroid {
  const centroid = buildCentroid(db, 'f')
  expect(centroid).toBeDefined()
  return centroid ?? ({} as Centroid)
}

describe('a centroid', () => {
  it('is the mean of the normalised vectors, and its statistics are what they are called', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.nat(), (count, seed) => {
        const next = gaussian(seed)
        const vectors = Array.from({ length: count }, () => randomVector(next, 4).map(value => Math.fround(3 * value)))
        const db = filled(vectors)
        const { vector, stats, dimension } = built(db)
        const lengths = vectors.map(values => Math.hypot(...values))
        const mean = [0, 1, 2, 3].map(
          at => vectors.reduce((sum, values, n) => sum + (values[at] ?? 0) / (lengths[n] ?? 1), 0) / count,
        )
        mean.forEach((value, at) => {
          expect(vector[at]).toBeCloseTo(value, 5)
        })
        const pairs = vectors.flatMap((a, i) => vectors.slice(i + 1).map(b => cosine(a, b)))
        expect(stats.pairCosine).toBeCloseTo(pairs.reduce((a, b) => a + b) / pairs.length, 6)
        expect(stats.meanLength).toBeCloseTo(lengths.reduce((a, b) => a + b) / count, 5)
        expect(stats.norm).toBeCloseTo(Math.hypot(...mean), 6)
        expect([dimension, stats.count, stats.skipped]).toEqual([4, count, 0])
        db.close()
      }),
      runs(30),
    )
  })

  it('is of one space and dimension only, over all namespaces; what does not fit is counted', () => {
    const { db } = fold(
      space(1, { fingerprint: 'f', dimension: 2 }),
      said(2, 'a', [1, 0]),
      said(3, 'b', [0, 2], 'f', { ns: NS_B }),
      said(4, 'c', [9, 9], 'g'),
      said(5, 'd', [1, 0, 0]),
      said(6, 'e', [0, 0]),
      said(7, 'h', [Number.NaN, 1]),
    )
    const { vector, stats } = built(db)
    expect([...vector]).toEqual([0.5, 0.5])
    expect(stats).toMatchObject({ count: 2, skipped: 3, meanLength: 1.5, pairCosine: expect.closeTo(0, 12) })
    expect(readCentroid(db, 'g')).toBeUndefined()
    db.close()
  })

  it('that was never built is undefined, and a dimension that nobody knows is null, not 0', () => {
    const { db } = fold(said(1, 'a', [1, 0], 'g'))
    expect(readCentroid(db, 'f')).toBeUndefined()
    expect(buildCentroid(db, 'f')).toBeUndefined()
    expect(readCentroid(db, 'f')).toBeUndefined()
    expect(spaceDimension(db, 'f')).toBeNull()
    expect(spaceDimension(db, 'g')).toBe(2)
    expect(near(db, [1, 0], 3, 'g').hits).toHaveLength(1)
    db.close()
  })

  it('is no part of the dump', () => {
    const db = filled(cone(30))
    const before = dump(db)
    built(db)
    expect(dump(db)).toBe(before)
    db.close()
  })

  it('is due when the number of vectors of its space has changed by more than a fifth, and while they are few at once', () => {
    expect([0, 1, 64, 65, 75, 76, 90, 91, 1_000, 1_000_000].map(checkpoint)).toEqual([
      0, 1, 64, 64, 64, 76, 76, 91, 955, 974_120,
    ])
    for (let n = 65; n < 100_000; n += 997) {
      expect(checkpoint(n)).toBeLessThanOrEqual(n)
      expect(checkpoint(n)).toBeGreaterThan(n / 1.22)
    }
    const { db, projector, tally } = fold(...cone(100).map((values, n) => said(n + 1, `text ${n}`, values)))
    expect(dueCentroids(db)).toEqual(['f'])
    expect(built(db).count).toBe(91)
    expect(dueCentroids(db)).toEqual([])
    const add = (n: number, name: string) => projector.fold(said(n, `more ${n}`, [1, 0, 0], name), tally, true)
    for (let n = 0; n < 30; n++) add(200 + n, 'g')
    expect(dueCentroids(db)).toEqual(['g'])
    for (let n = 0; n < 8; n++) add(300 + n, 'f')
    expect(isCentroidDue(db, 'f')).toBe(false)
    add(400, 'f')
    expect(isCentroidDue(db, 'f')).toBe(true)
    expect(built(db).count).toBe(109)
    db.close()
  })

  it('is due when one of those that it is of has gone, or come to be among them', () => {
    const { db, projector, tally } = fold(...cone(100).map((values, n) => said(10 * n + 10, `text ${n}`, values)))
    built(db)
    projector.fold(said(995, 'later', [1, 0, 0]), tally, true)
    expect(isCentroidDue(db, 'f')).toBe(false)
    projector.fold(said(15, 'earlier, and met later', [0, 1, 0]), tally, true)
    expect(isCentroidDue(db, 'f')).toBe(true)
    built(db)
    expect(isCentroidDue(db, 'f')).toBe(false)
    projector.fold(purged(2_000, ['text 3']), tally, true)
    expect(isCentroidDue(db, 'f')).toBe(true)
    built(db)
    projector.fold(purged(2_001, ['text 99']), tally, true)
    expect(isCentroidDue(db, 'f')).toBe(false)
    db.close()
  })

  it('goes when its space has no vectors any more', () => {
    const { db, projector, tally } = fold(...cone(30).map((values, n) => said(n + 1, `text ${n}`, values)))
    built(db)
    const texts = Array.from({ length: 30 }, (_, n) => `text ${n}`)
    projector.fold(purged(50, texts), tally, true)
    expect(dueCentroids(db)).toEqual(['f'])
    expect(buildCentroid(db, 'f')).toBeUndefined()
    expect(readCentroid(db, 'f')).toBeUndefined()
    expect(dueCentroids(db)).toEqual([])
    db.close()
  })

  it('is built by one process at a time, and by the next when that one is gone', () => {
    const db = filled(cone(30))
    const other = lease(db, { name: 'centroid f', holder: 'another', ms: 1_000 })
    expect(other).toBe(true)
    expect(buildCentroid(db, 'f')).toBeUndefined()
    expect(dueCentroids(db)).toEqual(['f'])
    db.prepare('UPDATE leases SET until = 1').run()
    expect(buildCentroid(db, 'f')?.count).toBe(30)
    expect(count(db, 'leases')).toBe(0)
    db.close()
  })

  it('can be built a little at a time, while other things are done', () => {
    const next = gaussian(5)
    const vectors = Array.from({ length: 2_500 }, () => randomVector(next, 4))
    const { db, projector, tally } = fold(...vectors.map((values, n) => said(n + 1, `text ${n}`, values)))
    const steps = centroidSteps(db, 'f')
    const seen: unknown[] = []
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        expect(step.value).toEqual(readCentroid(db, 'f'))
        break
      }
      seen.push(step.value)
      projector.fold(said(10_000 + seen.length, `meanwhile ${seen.length}`, [1, 0, 0, 0]), tally, true)
    }
    expect(seen).toEqual([1_000, 2_000])
    expect(isCentroidDue(db, 'f')).toBe(false)
    db.close()
  })

  it('that something was put into behind its builder’s back is due again', () => {
    const next = gaussian(5)
    const vectors = Array.from({ length: 2_500 }, () => randomVector(next, 4))
    const { db, projector, tally } = fold(...vectors.map((values, n) => said(10 * n + 10, `text ${n}`, values)))
    const steps = centroidSteps(db, 'f')
    steps.next()
    projector.fold(said(15, 'too late to be read', [1, 0, 0, 0]), tally, true)
    while (steps.next().done !== true);
    expect(isCentroidDue(db, 'f')).toBe(true)
    const live = built(db)
    const again = fold(
      said(15, 'too late to be read', [1, 0, 0, 0]),
      ...vectors.map((values, n) => said(10 * n + 10, `text ${n}`, values)).toReversed(),
    )
    expect(built(again.db)).toEqual({ ...live, builtAt: expect.any(Number) })
    for (const one of [db, again.db]) one.close()
  })
})

describe('centring', () => {
  /** What vectors in a ±35° cone must bring about; a rule of another threshold does not. */
  function holdsInACone(rule: { readonly norm: number; readonly vectors: number }): boolean {
    const db = filled(cone(40))
    const { stats } = built(db)
    db.close()
    return isCentred(stats, rule)
  }

  it('applies from a norm of .6 on: to a cone of ±35°, and with a threshold of .95 it would not', () => {
    expect(CENTRING).toEqual({ norm: 0.6, vectors: 20 })
    expect(holdsInACone(CENTRING)).toBe(true)
    expect(holdsInACone({ ...CENTRING, norm: 0.95 })).toBe(false)
  })

  it.each([
    [0.6, 20, true],
    [0.5999, 1_000, false],
    [0.6, 19, false],
    [1, 19, false],
    [0, 1_000, false],
  ])('at a norm of %d and %d vectors: %s', (norm, count, expected) => {
    expect(isCentred({ norm, count })).toBe(expected)
  })

  it('turns a ranking in a cone round: what lies off the axis on the same side comes first', () => {
    // Just off the axis, the question's side. By the plain cosine the axis itself is nearest.
    const question = [1, 0.12, 0]
    const off = [1, 0.6, 0]
    const on = [1, 0.01, 0.01]
    const place = (db: Database, text: string) => nearTexts(db, question, 42).indexOf(text)
    const few = filled([off, on, ...cone(17)])
    expect(place(few, 'text 1')).toBeLessThan(place(few, 'text 0'))
    const db = filled([off, on, ...cone(40)])
    expect(place(db, 'text 0')).toBeLessThan(place(db, 'text 1'))
    // centred on both sides, the far side of the cone is opposite
    expect(near(db, question, 42).hits.at(-1)?.cosine).toBeLessThan(-0.7)
    // that a centroid is built makes no difference to it
    const before = near(db, question, 42)
    built(db)
    expect(near(db, question, 42)).toEqual(before)
    for (const one of [few, db]) one.close()
  })

  it('does nothing below twenty vectors, and nothing where directions spread', () => {
    const next = gaussian(6)
    const few = cone(19)
    const wide = Array.from({ length: 60 }, () => randomVector(next, 3))
    for (const vectors of [few, wide]) {
      const db = filled(vectors)
      const cosines = vectors.map(values => cosine(values, [1, 0.2, 0])).sort((a, b) => b - a)
      near(db, [1, 0.2, 0], vectors.length).hits.forEach((hit, at) => {
        expect(hit.cosine).toBeCloseTo(cosines[at] ?? 0, 6)
      })
      db.close()
    }
  })

  it('moves codes some at a time, while questions are answered, and goes on where it was left', () => {
    const next = gaussian(8)
    const axis = randomVector(next, 48)
    const inCone = () => randomVector(next, 48).map((value, at) => 0.45 * value + (axis[at] ?? 0))
    const db = filled(Array.from({ length: 1_300 }, inCone))
    const waiting = () => Number(db.prepare('SELECT max(recode) FROM vector_shelves').pluck().get())
    const question = inCone()
    let steps = centroidSteps(db, 'f')
    while (waiting() === 0) steps.next()
    expect(waiting()).toBe(800)
    // It is left in the middle: it is still due, and questions are answered.
    steps.return(undefined)
    expect(isCentroidDue(db, 'f')).toBe(true)
    expect(near(db, question).hits).toHaveLength(10)
    steps = centroidSteps(db, 'f')
    const left: number[] = []
    for (let step = steps.next(); step.done !== true; step = steps.next()) left.push(waiting())
    expect(left).toEqual([800, 300])
    expect(waiting()).toBe(0)
    expect(isCentroidDue(db, 'f')).toBe(false)
    const centre = codeCentre(db, findSpace(db, 'f')?.space ?? 0, 48)
    const rows = db.prepare('SELECT code, data FROM vector_codes JOIN vectors USING (vector)').all() as {
      code: Buffer
      data: Buffer
    }[]
    for (const { code, data } of rows) expect(code.equals(encode(readFloats(data), centre))).toBe(true)
    db.close()
  })

  it('keeps the search over codes exact enough in a narrow cone', () => {
    const next = gaussian(7)
    const dimension = 48
    const axis = randomVector(next, dimension)
    const inCone = () => randomVector(next, dimension).map((value, at) => 0.45 * value + (axis[at] ?? 0))
    const vectors = Array.from({ length: 3_000 }, inCone)
    const db = filled(vectors)
    const { stats, vector } = built(db)
    expect(stats.norm).toBeGreaterThan(0.85)
    const minus = (values: readonly number[]) =>
      values.map((value, at) => value / Math.hypot(...values) - (vector[at] ?? 0))
    let found = 0
    for (let n = 0; n < 20; n++) {
      const question = inCone()
      const best = vectors
        .map((values, at) => ({ at, near: cosine(minus(values), minus(question)) }))
        .sort((a, b) => b.near - a.near)
        .slice(0, 10)
      const texts = nearTexts(db, question)
      found += best.filter(({ at }) => texts.includes(`text ${at}`)).length
    }
    expect(found).toBeGreaterThan(196)
    db.close()
  })
})
