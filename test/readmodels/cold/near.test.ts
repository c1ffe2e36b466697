/** Pages found by meaning: a document has a vector, and a question that shares no word with it finds it. */
import { afterEach, expect, it } from 'vitest'
import { EMBED_VERSION, type StoredEvent } from '../../../src/events/index.ts'
import { eventId, NS_A, vectorData } from '../../support/events.ts'
import { archiveOf, makeTurn, type TurnPlan } from '../../support/turns.ts'
import { closeStores, newHome, store } from '../worker/stores.ts'
import { materialOf } from './logs.ts'

afterEach(closeStores)

const SPACE = { fingerprint: 'f', dimension: 3, provider: 'p', model: 'm' }
const say = (words: string): TurnPlan => ({
  prompt: [words],
  steps: [{ steering: [], text: 'understood', calls: [], reversed: false, chunks: 0 }],
  injected: false,
  compaction: false,
})

const embedding = (n: number, doc: string, values: readonly number[]): StoredEvent => ({
  type: 'hologram/embed',
  data: {
    v: EMBED_VERSION,
    id: eventId(n),
    clock: n,
    ns: NS_A,
    at: { time: n },
    target: { kind: 'document', id: doc },
    space: SPACE,
    data: vectorData(...values),
  },
})

function filled() {
  const one = store({ ...newHome(), path: ':memory:' })
  const docs = ['the cat sleeps on the sofa', 'deploys go out on Tuesdays'].map((words, at) => {
    const turn = makeTurn(say(words), at + 1)
    const event = archiveOf(turn, at + 1, 's1')
    one.fold([{ type: 'hologram/archive', data: event }])
    one.supply([materialOf(event, 's1', turn.events)])
    return { event, turn }
  })
  return { one, docs }
}

const missing = (one: ReturnType<typeof filled>['one']) => one.missing({ space: 'f', limit: 10 })

it('documents lack a vector until one is brought, and again when their turn goes on', () => {
  const { one, docs } = filled()
  expect(missing(one).map(({ kind, id, text }) => [kind, id, text])).toEqual([
    ['document', docs[0]?.event.doc, 'the cat sleeps on the sofa\nunderstood\n'],
    ['document', docs[1]?.event.doc, 'deploys go out on Tuesdays\nunderstood\n'],
  ])
  one.fold(docs.map(({ event }, at) => embedding(10 + at, event.doc, [1, at, 0])))
  expect(missing(one)).toEqual([])
  const [first] = docs
  if (first === undefined) return
  const again = archiveOf(first.turn, 30, 's1', { doc: first.event.doc })
  one.fold([{ type: 'hologram/archive', data: again }])
  one.supply([materialOf(again, 's1', first.turn.events)])
  expect(missing(one).map(({ id }) => id)).toEqual([first.event.doc])
})

it('what lies near a question is found, though it shares no word with it, and what does not is not', () => {
  const { one, docs } = filled()
  one.fold(docs.map(({ event }, at) => embedding(10 + at, event.doc, at === 0 ? [1, 0, 0] : [0, 1, 0])))
  const ask = (vector: readonly number[]) =>
    one
      .recall({
        query: 'feline furniture',
        scope: 'namespace',
        namespace: NS_A.id,
        topK: 5,
        floor: 0.15,
        pages: { topK: 5 },
        vector: { space: 'f', data: Float32Array.from(vector) },
      })
      .pages.map(({ doc }) => doc)
  expect(ask([0.95, 0.1, 0])).toEqual([docs[0]?.event.doc])
  expect(ask([0, 0, 1])).toEqual([])
})
