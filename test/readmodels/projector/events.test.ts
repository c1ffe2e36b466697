/** How single events are taken: recalls before their blocks, bad ones, failing ones, those seen before. */
import { describe, expect, it } from 'vitest'
import { emptyTally } from '../../../src/readmodels/projector/index.ts'
import { BAD_EVENTS, commit, recalled, space } from '../../support/events.ts'
import { block, count, dump, fold, foldPieces } from './folding.ts'

describe('a recall', () => {
  it('counts for a block that is not known yet, once that is', () => {
    const early = fold(recalled(5, ['x y', 'never said']), commit(1, 'x y'))
    const late = fold(commit(1, 'x y'), recalled(5, ['x y', 'never said']))
    expect(block(early.db, 'x y')?.last_recalled_at).toBe(1_700_000_000_005)
    expect(dump(early.db)).toBe(dump(late.db))
    expect(count(early.db, 'memory_blocks')).toBe(1)
  })

  it('that is the latest in event order tells when, not the latest met and not the latest by the wall clock', () => {
    const at = (time: number) => ({ session: 's', time })
    const { db } = fold(
      commit(1, 'x y'),
      recalled(9, ['x y'], { at: at(10) }),
      recalled(8, ['x y'], { at: at(99) }),
      recalled(7, ['x y'], { at: at(50) }),
    )
    expect(block(db, 'x y')?.last_recalled_at).toBe(10)
  })

  it('may name a block twice', () => {
    const { db, tally } = fold(commit(1, 'x y'), recalled(2, ['x y', 'x y']))
    expect(tally).toMatchObject({ folded: 2, skipped: {} })
    expect(count(db, 'recall_hits')).toBe(2)
  })
})

describe('a bad event', () => {
  it.each(Object.entries(BAD_EVENTS))('(%s) is skipped and counted, and its neighbours are folded', (reason, bad) => {
    const { db, tally, outcomes } = fold(commit(1, 'before'), bad, commit(2, 'after'))
    expect(outcomes[1]).toEqual({ status: 'skipped', reason })
    expect(tally).toEqual({ folded: 2, known: 0, skipped: { [reason]: 1 } })
    expect(count(db, 'memory_blocks')).toBe(2)
    expect(count(db, 'events_seen')).toBe(2)
  })

  it('of somebody else is none of ours: it is not even counted', () => {
    const { tally, outcomes } = fold({ type: 'assistant/message', data: {} })
    expect(outcomes).toEqual([{ status: 'skipped', reason: 'foreign' }])
    expect(tally).toEqual(emptyTally())
  })

  it('whose fold fails leaves nothing of itself and undoes nothing else', () => {
    const { db, projector } = fold(commit(1, 'before'))
    // A table that refuses one kind of row stands for every reason to fail that is in the event.
    db.exec(
      "CREATE TRIGGER fail BEFORE INSERT ON block_sources WHEN NEW.text = ' bad  one ' BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    const tally = emptyTally()
    const outcomes = db.transaction(() =>
      [commit(2, 'left'), commit(3, ' bad  one '), commit(4, 'right')].map(event => projector.fold(event, tally, true)),
    )()
    expect(outcomes.map(({ status }) => status)).toEqual(['folded', 'skipped', 'folded'])
    expect(tally).toMatchObject({ folded: 2, skipped: { failed: 1 } })
    expect(projector.brought(commit(3, ''))).toBeUndefined()
    expect(db.prepare('SELECT text_content FROM memory_blocks ORDER BY row').pluck().all()).toEqual([
      'before',
      'left',
      'right',
    ])
    db.exec('DROP TRIGGER fail')
    // Not seen, so it is taken up when it is met again.
    expect(projector.fold(commit(3, ' bad  one '), tally, true)).toEqual({ status: 'folded', created: true })
  })

  it('on a failing file fails the group: nothing of it stays', () => {
    const { db, projector } = fold(commit(1, 'before'))
    const before = dump(db)
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`)
    const many = Array.from({ length: 200 }, (_, n) => commit(n + 2, `${n} ${'long '.repeat(400)}`))
    const run = () => db.transaction(() => many.map(event => projector.fold(event, emptyTally(), true)))()
    expect(run).toThrow('full')
    expect(dump(db)).toBe(before)
    db.pragma('max_page_count = 1000000')
    expect(run().every(({ status }) => status === 'folded')).toBe(true)
  })
})

describe('an event', () => {
  it('under any name it may carry is the same event', () => {
    const { data } = commit(1, 'x y')
    const { db, tally } = foldPieces([
      [
        { type: 'plugin:dsh-hologram/commit', data },
        { type: 'hologram/commit', data },
        { type: 'plugin:hologram/commit', data },
      ],
    ])
    expect(tally).toEqual({ folded: 1, known: 2, skipped: {} })
    expect(count(db, 'block_sources')).toBe(1)
  })

  it('is in the journal as soon as one sighting says so', () => {
    const { projector } = fold(commit(1, 'x y'))
    expect(projector.journaled(commit(1, 'x y'))).toBe(false)
    projector.fold(commit(1, 'x y'), emptyTally(), true)
    expect(projector.journaled(commit(1, 'x y'))).toBe(true)
    projector.fold(commit(1, 'x y'), emptyTally(), false)
    expect(projector.journaled(commit(1, 'x y'))).toBe(true)
  })

  it('tells before it is folded whether it would bring a block', () => {
    const { projector } = fold(commit(1, 'x y'))
    expect(projector.brings(commit(2, ' x  y '))).toBe(false)
    expect(projector.brings(commit(2, 'z'))).toBe(true)
    expect(projector.brings(space(3))).toBe(false)
    expect(projector.brings(BAD_EVENTS.malformed)).toBe(false)
  })
})
