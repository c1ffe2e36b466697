import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recall } from '../../../src/readmodels/recall/index.ts'
import { ask, emptyMemory, type Note, remember } from './memory.ts'

const words = [
  'alpha',
  'beta',
  'gamma',
  'port',
  '8080',
  '8081',
  '10.0.0.5',
  '部署',
  '方案',
  '网关',
  'svc|port=1',
  'svc|port=2',
  'café',
  'build-7',
  '？',
  'when',
  'yesterday',
]
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map(list => list.join(' '))
const note = fc.record({ text, ns: fc.constantFrom(1, 2), session: fc.option(fc.constantFrom('s1', 's2')) })

function notesOf(drawn: readonly { text: string; ns: number; session: string | null }[]): Note[] {
  return drawn.map(({ text: words_, ns, session }, i) => ({
    text: `${words_} n${i}`,
    ns,
    id: `blk_${i}`,
    clock: 1 + Math.floor(i / 2),
    event: `evt_${String(i).padStart(4, '0')}`,
    ...(session !== null && {
      said: { session, position: i, speaker: i % 2 === 0 ? 'Ann' : 'Bob', saidAt: i * 1_000 },
    }),
  }))
}

describe('recall', () => {
  const db = emptyMemory()
  remember(db, ['alpha beta 8080', '部署方案 build-7', 'svc|port=1', 'svc|port=2', 'café _ % "quoted"'])

  it.each([Number.NaN, -1, 0, 1.5, Number.POSITIVE_INFINITY, 1e12])('takes any topK and offset: %d', n => {
    expect(
      recall(db, { namespaces: [1, Number.MAX_SAFE_INTEGER], query: 'alpha', topK: n, offset: n }).degraded,
    ).toEqual([])
  })

  it('shows a namespace the same whatever the others hold', () => {
    fc.assert(
      fc.property(fc.array(note, { maxLength: 25 }), text, (drawn, query) => {
        const notes = notesOf(drawn)
        const both = emptyMemory()
        remember(both, notes)
        const alone = emptyMemory()
        remember(
          alone,
          notes.filter(one => one.ns === 1),
        )
        const shape = (memory: typeof both): unknown => ({
          ...ask(memory, query, { history: true }),
          hits: ask(memory, query).hits.map(({ row: _, ...hit }) => hit),
          superseded: [],
        })
        expect(shape(both)).toEqual(shape(alone))
        for (const hit of ask(both, query).hits) expect(hit.ns).toBe(1)
        both.close()
        alone.close()
      }),
      { numRuns: 150 },
    )
  })

  it('answers the same in whatever order the blocks came', () => {
    fc.assert(
      fc.property(
        fc.array(note, { maxLength: 25 }).chain(drawn =>
          fc.tuple(
            fc.constant(drawn),
            fc.shuffledSubarray(
              drawn.map((_, i) => i),
              { minLength: drawn.length },
            ),
          ),
        ),
        text,
        ([drawn, order], query) => {
          const notes = notesOf(drawn)
          const straight = emptyMemory()
          remember(straight, notes)
          const shuffled = emptyMemory()
          remember(
            shuffled,
            order.flatMap(i => notes[i] ?? []),
          )
          const shape = (memory: typeof straight): unknown => {
            const { hits, superseded, ...rest } = ask(memory, query, { namespaces: [1, 2], history: true })
            return {
              ...rest,
              hits: hits.map(({ row: _, ...hit }) => hit),
              superseded: superseded.map(({ row: _, ...one }) => one),
            }
          }
          expect(shape(shuffled)).toEqual(shape(straight))
          straight.close()
          shuffled.close()
        },
      ),
      { numRuns: 150 },
    )
  })
})
