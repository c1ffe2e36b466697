/** "Said in this session" follows merges, as everything does: what stands for a text now was said where that text was. */
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockId, type Namespace, type Order, type StoredEvent } from '../../../src/events/index.ts'
import { conditionsOf } from '../../../src/readmodels/recall/visible.ts'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { Expected } from '../../properties/laws.ts'
import { arbEvents, commit, embedded, NS_A, NS_B, purged, runs } from '../../support/events.ts'
import { fold } from '../projector/folding.ts'
import { link, merge } from './events.ts'

const [KEPT, DROPPED, OTHER] = ['the staging port is 8443', 'staging listens at 8443', 'staging is in Bergen']

function said(n: number, text: string, session: string, over: object = {}): StoredEvent {
  return commit(n, text, { at: { session, time: n }, ...over })
}

/** What a question brings of what was said in a session. */
function found(db: Database, session: string, over: object = {}): string[] {
  const asked = { query: 'staging', scope: 'namespace', namespace: NS_A.id, topK: 10, filters: { session } } as const
  return answerRecall(db, { ...asked, ...over }, [], 0)
    .hits.map(({ text }) => text)
    .sort()
}

const spoken = [said(1, KEPT, 'first'), said(2, DROPPED, 'second'), said(3, OTHER, 'third')]

describe('a session that only said what was merged away', () => {
  it('finds what stands for it, and no other session does', () => {
    const { db } = fold(...spoken, merge(4, KEPT, DROPPED))
    expect(['first', 'second', 'third', 'fourth'].map(session => found(db, session))).toEqual([
      [KEPT],
      [KEPT],
      [OTHER],
      [],
    ])
  })

  it('finds it along a chain of merges, whatever was read first', () => {
    const events = [...spoken, merge(4, KEPT, DROPPED), merge(5, OTHER, KEPT)]
    for (const { db } of [fold(...events), fold(...events.toReversed())]) expect(found(db, 'second')).toEqual([OTHER])
  })

  it('finds it by what is near and by scene too', () => {
    const { db } = fold(
      said(1, KEPT, 'first', { scene: 'ops' }),
      ...spoken.slice(1),
      merge(4, KEPT, DROPPED),
      embedded(5, KEPT, [1, 0, 0]),
      embedded(6, OTHER, [1, 0.1, 0]),
    )
    const vector = { space: 'f', data: Float32Array.of(1, 0, 0) }
    expect(found(db, 'second', { query: 'anything else', vector })).toEqual([KEPT])
    expect(found(db, 'second', { query: '', filters: { session: 'second', scene: 'ops' } })).toEqual([KEPT])
  })

  it('finds it by an edge from what it said', () => {
    const { db } = fold(...spoken, said(5, OTHER, 'second'), merge(4, KEPT, DROPPED), link(6, OTHER, KEPT))
    expect(found(db, 'second', { query: 'Bergen', associate: 3 })).toEqual([OTHER, KEPT].sort())
  })

  it('finds nothing where what it said was purged, or was merged in another namespace', () => {
    const gone = fold(...spoken, merge(4, KEPT, DROPPED), purged(5, [blockId(DROPPED)]))
    expect(found(gone.db, 'second')).toEqual([])
    const apart = fold(...spoken, said(5, KEPT, 'second', { ns: NS_B }), merge(6, KEPT, DROPPED, { ns: NS_B }))
    expect(found(apart.db, 'second')).toEqual([DROPPED])
  })

  it('finds what it said where what stands for it does not live', () => {
    const { db } = fold(...spoken, merge(4, KEPT, DROPPED), purged(5, [blockId(KEPT)]))
    expect(found(db, 'second')).toEqual([DROPPED])
  })

  it('finds it after a merge in every namespace', () => {
    const { db } = fold(...spoken, merge(4, KEPT, DROPPED, { ns: NS_B, everywhere: true }))
    expect(found(db, 'second')).toEqual([KEPT])
  })
})

it('what a session said is what its texts are shown as', () => {
  fc.assert(
    fc.property(arbEvents(15, ['commit', 'merge']), events => {
      const { db } = fold(...events)
      const expected = new Expected(events, NS_A.id)
      const numbers = db.prepare<[string], number>('SELECT ns FROM namespaces WHERE id = ?').pluck()
      const ns = numbers.get(NS_A.id) ?? -1
      const commits = events.flatMap(({ type, data }) =>
        type === 'hologram/commit' ? [data as Order & { ns: Namespace; at: { session?: string }; text: string }] : [],
      )
      for (const session of new Set(commits.flatMap(({ at }) => at.session ?? []))) {
        const { sql, values } = conditionsOf(db, ns, { namespaces: [ns], query: '', topK: 1, filters: { session } })
        const ids = db
          .prepare<unknown[], string>(`SELECT b.id FROM memory_blocks b WHERE b.ns = ? AND b.inactive = 0${sql}`)
          .pluck()
          .all(ns, ...values)
        const own = commits.filter(({ ns: { id }, at }) => id === NS_A.id && at.session === session)
        expect(new Set(ids)).toEqual(new Set(own.map(({ text }) => expected.shownAs(blockId(text)))))
      }
      db.close()
    }),
    runs(200),
  )
})
