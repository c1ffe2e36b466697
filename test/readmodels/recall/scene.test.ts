import { describe, expect, it } from 'vitest'
import { answerRecall } from '../../../src/readmodels/worker/answer.ts'
import { commit, NS_A, NS_B } from '../../support/events.ts'
import { fold } from '../projector/folding.ts'
import { merge, purge } from './events.ts'
import { ask, memoryOfNotes, texts } from './memory.ts'

describe('scene recall', () => {
  it('takes _ and % for letters (case 6)', () => {
    const db = memoryOfNotes(
      { text: 'one', scene: 'chan:qq/room_a/x' },
      { text: 'two', scene: 'chan:qq/roomXa/x' },
      { text: 'three', scene: 'chan:qq/room%a/x' },
      { text: 'four', scene: 'chan:qq/room_ab' },
    )
    // `%` is no letter of a key, so `room%a` is spelt `room_a` there; `roomXa` and `room_ab` are other rooms.
    expect(texts(ask(db, '', { filters: { scene: 'chan:qq/room_a' } })).sort()).toEqual(['one', 'three'])
    expect(texts(ask(db, '', { filters: { scene: 'chan:qq/room' } }))).toEqual([])
    expect(texts(ask(db, '', { filters: { scene: '%' } }))).toEqual([])
    expect(texts(ask(db, '', { filters: { scene: 'chan:qq/%' } }))).toEqual([])
    expect(texts(ask(db, 'one two', { filters: { scene: 'chan:qq/room_a' } }))).toEqual(['one'])
  })
  it('finds a scene in any spelling, and those below it', () => {
    const db = memoryOfNotes(
      { text: 'one', scene: 'Deploy / Staging' },
      { text: 'two', scene: 'deploy/staging/db' },
      { text: 'three', scene: 'deploy/stagings' },
      { text: 'four' },
    )
    expect(texts(ask(db, ' ', { filters: { scene: 'deploy/staging/' } })).sort()).toEqual(['one', 'two'])
    expect(ask(db, '', { filters: { scene: 'deploy' } }).hits).toHaveLength(3)
  })
  it('lists what was said most, then the newest, eight a page', () => {
    const db = memoryOfNotes(
      ...Array.from({ length: 20 }, (_, i) => ({
        text: `note ${i}x`,
        scene: 'daily',
        ...(i === 3 && { sources: ['s1', 's2'] }),
      })),
    )
    const scene = { filters: { scene: 'daily' }, topK: 50 }
    const first = ask(db, '', scene)
    expect(first.hits).toHaveLength(8)
    expect(texts(first).slice(0, 3)).toEqual(['note 3x', 'note 19x', 'note 18x'])
    expect(first.hits[0]).toMatchObject({ score: 1, exact: false, why: 'of scene daily; said 2 times' })
    const all = [0, 8, 16].flatMap(offset => texts(ask(db, '', { ...scene, offset })))
    expect(new Set(all).size).toBe(20)
    expect(texts(ask(db, '', { ...scene, topK: 2 }))).toHaveLength(2)
  })
  it('is about what is said now: facts that were replaced give way', () => {
    const db = memoryOfNotes({ text: 'svc|port=1', scene: 'net' }, { text: 'svc|port=2', scene: 'net' })
    const answer = ask(db, '', { filters: { scene: 'net' }, history: true })
    expect(texts(answer)).toEqual(['svc|port=2'])
    expect(answer.superseded.map(one => one.text)).toEqual(['svc|port=1'])
  })
  it('says when there is nothing, and takes a scene of no letters for none', () => {
    const db = memoryOfNotes({ text: 'one', scene: 'a' })
    expect(ask(db, '', { filters: { scene: 'b' } }).outcome).toBe('nothing_stored')
    expect(ask(db, '', { filters: { scene: ' / ' } }).outcome).toBe('empty_query')
    expect(texts(ask(db, 'one', { filters: { scene: '' } }))).toEqual(['one'])
  })
  it('shows one namespace, and neither what was purged nor what was merged away', () => {
    const scene = 'a/b'
    const { db } = fold(
      commit(1, 'kept', { scene }),
      commit(2, 'dropped', { scene }),
      commit(3, 'purged', { scene }),
      commit(4, 'elsewhere', { scene, ns: NS_B }),
      merge(5, 'kept', 'dropped'),
      purge(6, ['purged']),
    )
    const request = { query: '', scope: 'namespace', namespace: NS_A.id, topK: 8, filters: { scene: 'A/b' } } as const
    expect(answerRecall(db, request, [], 0).hits.map(hit => hit.text)).toEqual(['kept'])
    const all = answerRecall(db, { ...request, scope: 'all' }, [], 0)
    expect(all.hits.map(hit => hit.text)).toEqual(['elsewhere', 'kept'])
  })
})
