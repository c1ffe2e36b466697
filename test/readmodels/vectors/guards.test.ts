/** What the tables of the vector space may and must hold. */
import { describe, expect, it } from 'vitest'
import { buildCentroid, dueCentroids, lease } from '../../../src/readmodels/vectors/index.ts'
import { count, fold } from '../projector/folding.ts'
import { purged, said } from './support.ts'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

describe('the schema', () => {
  const { db } = fold()
  const columns = db
    .prepare<[], Column>(
      `SELECT m.name AS "table", c.name, c.type FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    .all()

  it('has no column for media, and bytes only where vectors, codes and the index are', () => {
    expect(columns.length).toBeGreaterThan(50)
    expect(
      columns.filter(({ name }) => /media|image|audio|video|mime|picture|attachment|payload|file/.test(name)),
    ).toEqual([])
    const bytes = columns.filter(
      ({ type, table }) => type === 'BLOB' && !/^(recall|memory_blocks_fts|symbol)/.test(table),
    )
    expect(bytes.map(({ table, name }) => `${table}.${name}`).sort()).toEqual([
      'graph_centroid.vector',
      'vector_codes.code',
      'vector_spaces.centre',
      'vector_sums.sum',
      'vectors.data',
    ])
    const [modality] = columns.filter(({ name }) => name === 'modality')
    expect(modality).toMatchObject({ table: 'memory_blocks' })
  })
})

it('fingerprints of blocks are the keys of centroids, through all that comes and goes (W7)', () => {
  const { db, projector, tally } = fold(
    ...Array.from({ length: 30 }, (_, n) =>
      said(n + 1, `a ${n}`, [1, n / 30], n % 3 === 0 ? 'http:a:2:0' : 'http:A:2:0'),
    ),
  )
  const tend = () => {
    for (const fingerprint of dueCentroids(db)) buildCentroid(db, fingerprint)
  }
  const same = () => {
    const ofBlocks = db
      .prepare('SELECT DISTINCT fingerprint FROM vectors JOIN vector_spaces USING (space) ORDER BY 1')
      .pluck()
      .all()
    expect(db.prepare('SELECT fingerprint FROM graph_centroid ORDER BY 1').pluck().all()).toEqual(ofBlocks)
    return ofBlocks
  }
  tend()
  expect(same()).toEqual(['http:A:2:0', 'http:a:2:0'])
  projector.fold(said(50, 'b', [1, 1], 'http:b:2:0'), tally, true)
  tend()
  expect(same()).toHaveLength(3)
  projector.fold(purged(60, ['b']), tally, true)
  tend()
  expect(same()).toHaveLength(2)
  db.close()
})

describe('a lease', () => {
  it('is for one holder at a time, can be prolonged, ends by its time, and is given back', () => {
    const { db } = fold()
    const take = (holder: string, ms = 1_000) => lease(db, { name: 'x', holder, ms })
    expect([take('a'), take('b'), take('a')]).toEqual([true, false, true])
    db.prepare('UPDATE leases SET until = ?').run(Date.now() - 1)
    expect([take('b'), take('a')]).toEqual([true, false])
    take('a', 0)
    expect(take('a')).toBe(false)
    take('b', 0)
    expect(take('a')).toBe(true)
    // Taken by a clock that was far ahead.
    db.prepare('UPDATE leases SET until = ?').run(Date.now() + 1e10)
    expect(take('b')).toBe(true)
    expect(count(db, 'leases')).toBe(1)
    db.close()
  })
})
