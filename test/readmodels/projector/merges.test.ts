/** Families of merged blocks: what edges stand under where the one that stands for them is not there, and large ones. */
import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { lookup } from '../../../src/readmodels/audit/lookup.ts'
import { commit, NS_A, NS_B } from '../../support/events.ts'
import { link, merge, purge } from '../recall/events.ts'
import { dump, fold } from './folding.ts'

const edges = (events: Parameters<typeof fold>) =>
  fold(...events)
    .db.prepare(`SELECT source_id, target_id, n.id AS ns FROM memory_block_edges JOIN namespaces n USING (ns)
      WHERE status = 'active' ORDER BY n.id, source_id, target_id`)
    .all()
const edge = (from: string, to: string, ns = NS_A) => ({ source_id: blockId(from), target_id: blockId(to), ns: ns.id })

describe('an edge of a block that was merged everywhere', () => {
  const THERE = [
    commit(1, 'drop', { ns: NS_B }),
    commit(2, 'other', { ns: NS_B }),
    link(3, 'drop', 'other', { ns: NS_B }),
    commit(4, 'keep'),
    commit(5, 'drop'),
  ]
  const MERGED = merge(6, 'keep', 'drop', { everywhere: true })

  it('stands, in a namespace that holds only the dropped block, under that block', () => {
    expect(edges([...THERE, MERGED])).toEqual([edge('drop', 'other', NS_B)])
    expect(edges([MERGED, ...THERE])).toEqual([edge('drop', 'other', NS_B)])
    // One said of the block that is not there means the one that is.
    expect(edges([...THERE, MERGED, link(7, 'other', 'keep', { ns: NS_B })])).toContainEqual(
      edge('other', 'drop', NS_B),
    )
  })

  it('goes to the kept block when that comes, and back when it is purged', () => {
    const came = [...THERE, MERGED, commit(7, 'keep', { ns: NS_B })]
    expect(edges(came)).toEqual([edge('keep', 'other', NS_B)])
    const gone = [...came, { ...purge(8, ['keep']), data: { ...(purge(8, ['keep']).data as object), ns: NS_B } }]
    expect(edges(gone)).toEqual([edge('drop', 'other', NS_B)])
    expect(dump(fold(...gone).db)).toBe(dump(fold(...gone.toReversed()).db))
  })
})

describe('hundreds of merges', () => {
  const MANY = 150
  const commits = Array.from({ length: MANY }, (_, n) => commit(n + 1, `wording ${n}`))
  const links = Array.from({ length: MANY }, (_, n) => link(MANY + n + 1, `wording ${n}`, `wording ${(n + 1) % MANY}`))

  it.each([
    ['into one block', (n: number) => merge(2 * MANY + n, 'wording 0', `wording ${n}`)],
    ['one after another', (n: number) => merge(2 * MANY + n, `wording ${n}`, `wording ${n - 1}`)],
  ])('%s are one block, whose edges are its own, in any order', (_, merged) => {
    const merges = Array.from({ length: MANY - 1 }, (_, n) => merged(n + 1))
    const { db } = fold(...commits, ...links, ...merges)
    expect(db.prepare('SELECT count(*) FROM memory_blocks WHERE inactive = 0').pluck().get()).toBe(1)
    expect(db.prepare("SELECT count(*) FROM memory_block_edges WHERE status = 'active'").pluck().get()).toBe(0)
    const [known] = lookup(db, { namespace: NS_A.id, ids: [blockId('wording 7')] })
    expect(known?.family).toHaveLength(MANY)
    expect(dump(fold(...merges, ...links, ...commits.toReversed()).db)).toBe(dump(db))
  })
})
