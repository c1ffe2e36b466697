/** Rows are keyed by namespace: the same text, or the same id, in two of them is two memories. */
import { describe, expect, it } from 'vitest'
import { blockId, compareOrder } from '../../../src/events/index.ts'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { commit, eventId, NS_A, NS_B, recalled } from '../../support/events.ts'
import { count, fold } from './folding.ts'

const label = (n: number, name: string) => commit(n, `text ${n}`, { ns: { id: NS_A.id, label: name } })

describe('namespaces', () => {
  it('hold the same text apart: metadata, places and recalls of one are not in the other', () => {
    const { db, outcomes } = fold(
      commit(1, 'x y', { scene: 'a' }),
      commit(2, 'x y', { scene: 'b', ns: NS_B }),
      recalled(3, ['x y'], { ns: NS_B }),
    )
    expect(outcomes.map(outcome => 'created' in outcome && outcome.created)).toEqual([true, true, false])
    const rows = db
      .prepare(`SELECT n.id AS ns, scene, last_recalled_at IS NULL AS fresh FROM memory_blocks JOIN namespaces n USING (ns)
        ORDER BY n.id`)
      .all()
    expect(rows).toEqual([
      { ns: NS_A.id, scene: 'a', fresh: 1 },
      { ns: NS_B.id, scene: 'b', fresh: 0 },
    ])
  })

  it('are seen by a question only where its scope says so', () => {
    const { db } = fold(commit(1, 'the alpha port is 1111'), commit(2, 'the beta port is 2222', { ns: NS_B }))
    const ask = (scope: 'namespace' | 'all', namespace: string) =>
      answerRecall(db, { query: 'which port?', scope, namespace, topK: 9 }, [], 0).hits.map(hit => hit.id)
    expect(ask('namespace', NS_A.id)).toEqual([blockId('the alpha port is 1111')])
    expect(ask('namespace', NS_B.id)).toEqual([blockId('the beta port is 2222')])
    expect(ask('all', NS_A.id)).toHaveLength(2)
    expect(ask('namespace', `ns_${'c'.repeat(24)}`)).toEqual([])
  })

  it.each([
    ['rising', [1, 2, 3]],
    ['falling', [3, 2, 1]],
    // the event between comes last, and the one that repeats the first label before it
    ['with the middle last', [1, 3, 2]],
    ['with the middle first', [2, 1, 3]],
  ])('have the label said last in event order, met %s', (_, order) => {
    const labels: Readonly<Record<number, string>> = { 1: 'old', 2: 'between', 3: 'old' }
    const { db } = fold(...order.map(n => label(n, labels[n] ?? '')))
    expect(db.prepare('SELECT id, label, clock, event FROM namespaces').all()).toEqual([
      { id: NS_A.id, label: 'old', clock: 3, event: eventId(3) },
    ])
  })

  it('settle a tie of clocks by event id', () => {
    const one = commit(1, 'x', { clock: 5, ns: { id: NS_A.id, label: 'low id' } })
    const two = commit(2, 'y', { clock: 5, ns: { id: NS_A.id, label: 'high id' } })
    expect(compareOrder({ clock: 5, id: eventId(1) }, { clock: 5, id: eventId(2) })).toBeLessThan(0)
    for (const events of [
      [one, two],
      [two, one],
    ]) {
      const { db } = fold(...events)
      expect(db.prepare('SELECT label FROM namespaces').pluck().all()).toEqual(['high id'])
    }
  })

  it('are made once, whoever names them', () => {
    const { db } = fold(commit(1, 'x'), commit(2, 'y'), recalled(3, ['x']), commit(4, 'z', { ns: NS_B }))
    expect(count(db, 'namespaces')).toBe(2)
  })
})
