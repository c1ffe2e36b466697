/** How much a near block has to do with a question: in any space, so that one floor fits all models. */
import { describe, expect, it } from 'vitest'
import { nearest } from '../../../src/readmodels/vectors/index.ts'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { NS_A } from '../../support/events.ts'
import { fold } from '../projector/folding.ts'
import { gaussian, namespaceNumber, randomVector, said } from './support.ts'

const DIMENSION = 64

/**
 * Forty blocks of a model that sets whatever it embeds at a cosine of about `base`, and a question that lies between an
 * average block and the first one.
 */
function space(base: number, blocks = 40) {
  const next = gaussian(3)
  const axis = randomVector(next, DIMENSION)
  const length = Math.hypot(...axis)
  const made = () => {
    const own = randomVector(next, DIMENSION)
    const size = Math.hypot(...own)
    return own.map((value, at) => (Math.sqrt(1 - base) * value) / size + (Math.sqrt(base) * (axis[at] ?? 0)) / length)
  }
  const vectors = Array.from({ length: blocks }, made)
  const { db } = fold(...vectors.map((values, n) => said(n + 1, `text ${n}`, values)))
  const away = made()
  const question = (share: number) => away.map((value, at) => (1 - share) * value + share * (vectors[0]?.[at] ?? 0))
  const ask = (values: readonly number[]) =>
    nearest(db, { namespaces: [namespaceNumber(db)], space: 'f', vector: Float32Array.from(values), k: blocks }).hits
  return { db, ask, question }
}

describe('relevance', () => {
  it.each([0.05, 0.3, 0.5, 0.7, 0.85])('tells what is meant from what is only there, in a model of base %d', base => {
    const { db, ask, question } = space(base)
    const [meant, ...others] = ask(question(0.75))
    expect(meant?.relevance).toBeGreaterThan(0.5)
    for (const { relevance } of others) expect(relevance).toBeLessThan(0.3)
    // Nothing is meant: the nearest is near by chance.
    for (const { relevance } of ask(question(0))) expect(relevance).toBeLessThan(0.3)
    db.close()
  })

  it('is 1 for the question itself, never below 0, and rises with the cosine', () => {
    const { db, ask, question } = space(0.3)
    const hits = ask(question(1))
    expect(hits[0]?.relevance).toBeCloseTo(1, 5)
    for (const [at, { relevance }] of hits.entries()) {
      expect(relevance).toBeGreaterThanOrEqual(0)
      expect(relevance).toBeLessThanOrEqual(hits[at - 1]?.relevance ?? 1.000_001)
    }
    db.close()
  })

  it('of the only block is not what is left of it after itself', () => {
    const { db, ask, question } = space(0.5, 1)
    expect(ask(question(0.8))[0]?.relevance).toBeGreaterThan(0.6)
    db.close()
  })

  it('is what a floor cuts by, also where the model sets everything close together', () => {
    const { db, question } = space(0.5)
    const asked = (share: number, floor: number) =>
      answerRecall(
        db,
        {
          query: 'unheard of',
          scope: 'namespace',
          namespace: NS_A.id,
          topK: 10,
          floor,
          vector: { space: 'f', data: Float32Array.from(question(share)) },
        },
        [],
        0,
      )
    expect(asked(0.75, 0.4).hits.map(({ text }) => text)).toEqual(['text 0'])
    expect(asked(0, 0.4)).toMatchObject({ hits: [], outcome: 'below_floor' })
    expect(asked(0, 0).counters.skipped.notNear).toBeGreaterThan(0)
    db.close()
  })
})
