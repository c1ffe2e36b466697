/** Events folded as one transaction are what they are one by one. */
import { describe, expect, it } from 'vitest'
import { emptyTally } from '../../../src/readmodels/projector/index.ts'
import { commit } from '../../support/events.ts'
import { dump, fold } from './folding.ts'

const FAIL = `CREATE TRIGGER fail BEFORE INSERT ON block_sources WHEN NEW.text = ' bad  one '
  BEGIN SELECT RAISE(ABORT, 'no'); END`
const GROUP = [
  commit(2, 'left'),
  commit(3, ' bad  one '),
  commit(3, 'x', { ns: { id: `ns_${'c'.repeat(24)}`, label: 'c' } }),
  commit(4, 'right'),
]

describe('a group', () => {
  it('with one that fails is the group without it', () => {
    const { db, projector } = fold(commit(1, 'before'))
    db.exec(FAIL)
    const tally = emptyTally()
    let then = 0
    const outcomes = projector.foldGroup(GROUP, tally, true, () => {
      then += 1
    })
    expect(outcomes.map(({ status }) => status)).toEqual(['folded', 'skipped', 'folded', 'folded'])
    expect(tally).toMatchObject({ folded: 3, skipped: { failed: 1 } })
    expect(tally.lastFailure).toContain('no')
    // Once for what was given up and once for what stays.
    expect(then).toBe(1)
    db.exec('DROP TRIGGER fail')
    const [, , other, right] = GROUP
    expect(dump(db)).toBe(
      dump(fold(commit(1, 'before'), commit(2, 'left'), other ?? commit(9, ''), right ?? commit(9, '')).db),
    )
  })

  it('of which nothing may stay leaves nothing, labels of namespaces included', () => {
    const { db, projector } = fold(commit(1, 'before'))
    const before = dump(db)
    const tally = emptyTally()
    const fail = () =>
      projector.foldGroup([commit(2, 'x', { ns: { id: commitNs, label: 'new' } })], tally, true, () => {
        throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
      })
    expect(fail).toThrow('full')
    expect(dump(db)).toBe(before)
    expect(tally).toEqual(emptyTally())
  })

  it('inside of a transaction of somebody else undoes nothing of that', () => {
    const { db, projector } = fold(commit(1, 'before'))
    db.exec(FAIL)
    db.transaction(() => {
      projector.foldGroup(GROUP, emptyTally(), true, () => {})
      expect(db.inTransaction).toBe(true)
    })()
    expect(db.prepare('SELECT count(*) FROM memory_blocks').pluck().get()).toBe(4)
  })
})

const commitNs = `ns_${'a'.repeat(24)}`
