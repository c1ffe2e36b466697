/**
 * Law 1 for vectors whose space is centred: what is near does not depend on when its centroid was built, nor on the order
 * in which vectors came and went.
 */
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { dueCentroids, nearest } from '../../src/readmodels/vectors/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { dump } from '../readmodels/projector/folding.ts'
import { gaussian, purged, randomVector, said } from '../readmodels/vectors/support.ts'
import { embedded, eventId, NS_A, NS_B, runs } from '../support/events.ts'
import { shuffled } from './shuffled.ts'

const stores: Store[] = []
afterAll(() => {
  for (const store of stores) store.close()
})

function empty(): Store {
  const store = new Store({ path: ':memory:', journal: '', keepJournal: true })
  stores.push(store)
  return store
}

const [live, rebuilt] = [empty(), empty()]

/** A vector within about 35° of the first axis, so that its space is centred. */
const arbInCone = fc
  .tuple(fc.integer({ min: -7, max: 7 }), fc.integer({ min: -7, max: 7 }), fc.integer({ min: 1, max: 3 }))
  .map(([a, b, times]) => [times, (times * a) / 10, (times * b) / 10])

const arbAct = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('say' as const), text: fc.nat({ max: 50 }), values: arbInCone }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('embed' as const), text: fc.nat({ max: 50 }), values: arbInCone }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('purge' as const), text: fc.nat({ max: 50 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tend' as const) }) },
)
type Act = typeof arbAct extends fc.Arbitrary<infer T> ? T : never

const text = (n: number) => `note ${n}`

function eventOf(act: Act, n: number): StoredEvent | undefined {
  const ns = n % 5 === 0 ? NS_B : NS_A
  if (act.do === 'say') return said(n, text(act.text), act.values, 'f', { ns, id: eventId(n) })
  if (act.do === 'embed') {
    const space = { fingerprint: 'f', dimension: 3, provider: 'p', model: 'm' }
    return embedded(n, text(act.text), act.values, { ns, space })
  }
  return act.do === 'purge' ? purged(n, [text(act.text)], { ns }) : undefined
}

/** What is near a few questions, by text and cosine: to the last bit, and in order. */
function near(store: Store, questions: readonly (readonly number[])[]): unknown {
  const db = store.database
  const namespaces = db.prepare<[], number>('SELECT ns FROM namespaces ORDER BY id').pluck().all()
  return questions.map(values =>
    nearest(db, { namespaces, space: 'f', vector: Float32Array.from(values), k: 10 }).hits.map(
      ({ id, cosine, relevance }) => [id, cosine, relevance],
    ),
  )
}

it('a space that is centred answers the same live and rebuilt, whenever its centroid was built', async () => {
  let centred = 0
  await fc.assert(
    fc.asyncProperty(fc.array(arbAct, { minLength: 25, maxLength: 60, size: 'max' }), fc.nat(), async (acts, seed) => {
      live.clear()
      rebuilt.clear()
      const events: StoredEvent[] = []
      for (const [at, act] of acts.entries()) {
        const event = eventOf(act, at + 1)
        if (event === undefined) await live.tend()
        else {
          live.fold([event])
          events.push(event)
        }
      }
      rebuilt.fold(shuffled(events, seed))
      expect(dump(rebuilt.database)).toBe(dump(live.database))
      const questions = [
        [1, 0.2, 0],
        [1, -0.3, 0.4],
        [-1, 0, 0.2],
      ]
      expect(near(rebuilt, questions)).toEqual(near(live, questions))
      await live.tend()
      await rebuilt.tend()
      expect(near(rebuilt, questions)).toEqual(near(live, questions))
      const built = 'SELECT fingerprint, dim, vector_count, vector, stats FROM graph_centroid'
      expect(rebuilt.database.prepare(built).all()).toEqual(live.database.prepare(built).all())
      expect(rebuilt.database.prepare('SELECT space, dim, sum FROM vector_sums WHERE count > 0').all()).toEqual(
        live.database.prepare('SELECT space, dim, sum FROM vector_sums WHERE count > 0').all(),
      )
      expect(dueCentroids(live.database)).toEqual([])
      if (Number(live.database.prepare('SELECT max(count) FROM vector_sums').pluck().get() ?? 0) >= 20) centred += 1
    }),
    runs(60),
  )
  expect(centred).toBeGreaterThan(0)
}, 300_000)

it('so does one that is searched by codes, once both are at rest', async () => {
  const next = gaussian(11)
  const axis = randomVector(next, 40)
  const inCone = () => randomVector(next, 40).map((value, at) => 0.5 * value + (axis[at] ?? 0))
  const events = Array.from({ length: 900 }, (_, n) => said(n + 1, text(n), inCone()))
  events.push(purged(2_000, [text(3), text(700)]))
  live.clear()
  rebuilt.clear()
  for (let from = 0; from < events.length; from += 150) {
    live.fold(events.slice(from, from + 150))
    await live.tend()
  }
  rebuilt.fold(shuffled(events, 1))
  await rebuilt.tend()
  const questions = Array.from({ length: 20 }, inCone)
  expect(near(rebuilt, questions)).toEqual(near(live, questions))
  const codes = `SELECT v.target, c.code FROM vector_codes c JOIN vectors v USING (vector) WHERE code IS NOT NULL ORDER BY target`
  expect(rebuilt.database.prepare(codes).all()).toEqual(live.database.prepare(codes).all())
}, 120_000)
