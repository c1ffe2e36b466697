/** Cases 23 and 24 from the field, as rules. */
import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { buildCentroid, missingVectors, readCentroid } from '../../../src/readmodels/vectors/index.ts'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { commit, embedded, NS_A, NS_B, space, vectorData } from '../../support/events.ts'
import { count, fold } from '../projector/folding.ts'
import { near, nearTexts, said } from './support.ts'

const BAD = {
  zero: [0, 0],
  nonFinite: [Number.NaN, 1],
  wrongDimension: [1, 0, 0],
} as const

describe('case 23: a vector that cannot be compared', () => {
  const { db, tally } = fold(
    said(1, 'a', [1, 0]),
    said(2, 'b', [0.5, 0.5]),
    said(3, 'z', [0, 0]),
    said(4, 'n', [Number.NaN, 1]),
    said(5, 'i', [Number.POSITIVE_INFINITY, 0]),
    said(6, 'd', [1, 0, 0]),
    said(7, 'e', []),
    commit(8, 's', { vector: { space: 'f', data: 'AAA=' } }),
    commit(9, 'none'),
  )

  it('is stored with its block, never ranked, and counted by reason', () => {
    expect(tally).toMatchObject({ folded: 9, skipped: {} })
    for (let again = 0; again < 5; again++) expect(nearTexts(db, [1, 0], 2)).toEqual(['a', 'b'])
    const { hits, skipped } = near(db, [1, 0])
    expect(hits.map(({ id }) => id)).toEqual([blockId('a'), blockId('b')])
    expect(hits.map(({ cosine }) => cosine)).toEqual([1, expect.closeTo(Math.SQRT1_2, 6)])
    expect(skipped).toEqual({ zero: 1, nonFinite: 2, wrongDimension: 3, noVector: 1 })
  })

  it.each(Object.entries(BAD))('as a question (%s) finds nothing, throws nothing and says why', (reason, values) => {
    const declared = fold(space(1, { dimension: 2 }), said(2, 'a', [1, 0]))
    expect(near(declared.db, values)).toMatchObject({ hits: [], unusable: reason })
    declared.db.close()
  })

  it('does not take the place of one that can be compared, whichever is later', () => {
    for (const events of [
      [said(1, 'a', [1, 0]), said(2, 'a', [0, 0])],
      [said(2, 'a', [1, 0]), said(1, 'a', [0, 0])],
    ]) {
      const one = fold(...events)
      expect(near(one.db, [1, 0]).hits).toHaveLength(1)
      one.db.close()
    }
  })

  it('is missing: it can be made again', () => {
    const missing = missingVectors(db, 'f', 100).map(({ text }) => text)
    expect(missing.sort()).toEqual(['e', 'n', 'i', 'none', 's', 'z'].sort())
    const declared = fold(space(1, { dimension: 2 }), said(2, 'd', [1, 0, 0]), said(3, 'a', [1, 0]))
    expect(missingVectors(declared.db, 'f', 100).map(({ text }) => text)).toEqual(['d'])
    declared.db.close()
  })
})

describe('case 24: another space of the same dimension', () => {
  const FINGERPRINTS = ['http:m1:3:00000000', 'http:m2:3:00000000', 'http:m1:3:11111111']
  const cone = (n: number) => [1, 0.2 * Math.sin(n), 0.2 * Math.cos(n)]
  const [m1 = '', m2 = '', moved = ''] = FINGERPRINTS
  const old = Array.from({ length: 30 }, (_, n) => said(n + 2, `note ${n} on port ${8000 + n}`, cone(n), m1))

  it.each([m2, moved])(
    '%s never sees the old vectors, says how many there are, and takes them up when re-made',
    now => {
      const { db, projector, tally } = fold(space(1, { fingerprint: m1 }), ...old, space(90, { fingerprint: now }))
      expect(near(db, [1, 0, 0], 5, m1).hits).toHaveLength(5)
      expect(near(db, [1, 0, 0], 5, now)).toEqual({
        hits: [],
        skipped: { spaceMismatch: 30 },
        comparable: 0,
        compared: 0,
      })
      const asked = answerRecall(db, { query: 'port 8007', scope: 'namespace', namespace: NS_A.id, topK: 3 }, [], 0)
      expect(asked.hits[0]?.text).toContain('8007')

      expect(buildCentroid(db, m1)?.count).toBe(30)
      expect(readCentroid(db, now)).toBeUndefined()
      expect(missingVectors(db, now, 100)).toHaveLength(30)
      expect(missingVectors(db, now, 10)).toHaveLength(10)

      const declared = { fingerprint: now, dimension: 3, provider: 'p', model: 'm' }
      projector.fold(embedded(91, 'note 7 on port 8007', [-1, 0, 0], { space: declared }), tally, true)
      expect(missingVectors(db, now, 100)).toHaveLength(29)
      expect(near(db, [1, 0, 0], 5, now)).toMatchObject({ hits: [{ cosine: -1 }], skipped: { spaceMismatch: 29 } })
      expect(near(db, [1, 0, 0], 50, m1).hits).toHaveLength(30)
      db.close()
    },
  )

  it.each(['', 'http:nobody:3:22222222'])('a space that nothing is of, "%s", is unknown', now => {
    const { db } = fold(said(1, 'a', [1, 0, 0], m1), commit(2, 'b'))
    expect(near(db, [1, 0, 0], 5, now)).toEqual({
      hits: [],
      skipped: { unknownSpace: 1, noVector: 1 },
      unusable: 'unknownSpace',
      comparable: 0,
      compared: 0,
    })
    db.close()
  })

  it('spaces and namespaces never mix, whatever they hold', () => {
    const { db } = fold(
      said(1, 'a', [1, 0], 'f'),
      said(2, 'b', [1, 0], 'F'),
      said(3, 'c', [1, 0], 'f '),
      said(4, 'd', [1, 0], 'f', { ns: NS_B }),
    )
    expect(nearTexts(db, [1, 0], 10, 'f')).toEqual(['a'])
    expect(nearTexts(db, [1, 0], 10, 'F')).toEqual(['b'])
    expect(nearTexts(db, [1, 0], 10, 'f ')).toEqual(['c'])
    expect(nearTexts(db, [1, 0], 10, 'f', NS_B.id)).toEqual(['d'])
    db.close()
  })
})

describe('an embed event', () => {
  it('that does not hold as many numbers as it says is malformed', () => {
    const { tally, db } = fold(
      commit(1, 'a'),
      embedded(2, 'a', [1, 0], { space: { fingerprint: 'f', dimension: 3, provider: 'p', model: 'm' } }),
      embedded(3, 'a', [1, 0], { data: vectorData(1, 0).slice(0, -4) }),
      embedded(4, 'a', [1, 0], { target: { kind: 'document', id: blockId('a') } }),
    )
    expect(tally.skipped).toEqual({ malformed: 3 })
    expect(count(db, 'vectors')).toBe(0)
    db.close()
  })
})
