/** What is held in memory is true: after other connections' writes, after writes that were rolled back, after anything. */
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/readmodels/database/open.ts'
import { heldShelves } from '../../../src/readmodels/vectors/held.ts'
import { buildCentroid, vectorTable } from '../../../src/readmodels/vectors/index.ts'
import { NS_A, runs, vectorData } from '../../support/events.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { gaussian, near, randomVector } from './support.ts'

const DIMENSION = 32
const START = 600

afterEach(removeTempDirs)

/** A connection, and what is done to vectors on it. */
function connection(path: string) {
  const { db } = openDatabase(path)
  const table = vectorTable(db)
  const block = db.prepare(
    `INSERT INTO memory_blocks (ns, id, text_content, created_at, updated_at, first_clock, first_event, last_clock, last_event)
     VALUES (1, ?, '', 0, 0, ?, '', 0, '')`,
  )
  const target = (n: number) => ({ ns: 1, kind: 'block' as const, id: `blk_${n}` })
  return {
    db,
    put(n: number, values: readonly number[], clock = n + 1): void {
      const found = db.prepare('SELECT 1 FROM memory_blocks WHERE id = ?').get(`blk_${n}`)
      if (found === undefined) block.run(`blk_${n}`, n + 1)
      table.put(target(n), { fingerprint: 'f', data: vectorData(...values), captured: false, clock, id: 'e' })
    },
    remove(n: number): void {
      table.purge(target(n), { clock: Number.MAX_SAFE_INTEGER, id: 'z' })
      db.prepare('DELETE FROM memory_blocks WHERE id = ?').run(`blk_${n}`)
    },
  }
}

type Connection = ReturnType<typeof connection>

function start(next: () => number, path = join(tempDir(), 'memory.db')): { one: Connection; path: string } {
  const one = connection(path)
  one.db.prepare("INSERT INTO namespaces (ns, id, label, clock, event) VALUES (1, ?, '', 1, '')").run(NS_A.id)
  one.db.transaction(() => {
    for (let n = 0; n < START; n++) one.put(n, randomVector(next, DIMENSION))
  })()
  return { one, path }
}

const ids = (db: Database, values: readonly number[]) => near(db, values, 5).hits.map(({ id }) => id)
const axis = (at: number) => Array.from({ length: DIMENSION }, (_, i) => (i === at ? 1 : 0))

describe('codes held in memory', () => {
  it('take up one vector without reading the others again, and give up one likewise', () => {
    const { one } = start(gaussian(1))
    ids(one.db, axis(0))
    const before = heldShelves(one.db).read
    one.put(5_000, axis(0))
    expect(ids(one.db, axis(0))[0]).toBe('blk_5000')
    expect(heldShelves(one.db).read - before).toBe(1)
    one.remove(5_000)
    expect(ids(one.db, axis(0))).not.toContain('blk_5000')
    // the entry that was taken out, and that it was
    expect(heldShelves(one.db).read - before).toBeLessThanOrEqual(3)
    one.db.close()
  })

  it('follow the writes of another connection', () => {
    const { one, path } = start(gaussian(2))
    const two = connection(path)
    ids(one.db, axis(1))
    two.put(7_000, axis(1))
    expect(ids(one.db, axis(1))[0]).toBe('blk_7000')
    two.put(7_000, axis(2), 9_999)
    expect(ids(one.db, axis(2))[0]).toBe('blk_7000')
    expect(ids(one.db, axis(1))).not.toContain('blk_7000')
    two.remove(7_000)
    expect(ids(one.db, axis(2))).not.toContain('blk_7000')
    one.db.close()
    two.db.close()
  })

  it('forget what was rolled back, also when something else took its place', () => {
    const { one } = start(gaussian(3))
    ids(one.db, axis(3))
    one.db.exec('BEGIN')
    one.put(8_000, axis(3))
    expect(ids(one.db, axis(3))[0]).toBe('blk_8000')
    one.db.exec('ROLLBACK')
    expect(ids(one.db, axis(3))).not.toContain('blk_8000')
    one.db.exec('BEGIN')
    one.put(8_001, axis(3))
    expect(ids(one.db, axis(3))[0]).toBe('blk_8001')
    one.db.exec('ROLLBACK')
    // the same numbers of vector, shelf, serial and row as before
    one.put(8_002, axis(4))
    expect(ids(one.db, axis(3))).not.toContain('blk_8001')
    expect(ids(one.db, axis(4))[0]).toBe('blk_8002')
    one.db.close()
  })

  it('are read anew when a centroid has moved the point that they are measured from', () => {
    const next = gaussian(5)
    const inCone = () => randomVector(next, DIMENSION).map((value, at) => 0.3 * value + (at < 4 ? 1 : 0))
    const { one, path } = start(() => 0)
    const two = connection(path)
    two.db.transaction(() => {
      for (let n = 0; n < START; n++) two.put(n, inCone(), 50_000 + n)
      for (let n = 0; n < 9; n++) two.remove(n)
    })()
    ids(one.db, inCone())
    const before = heldShelves(one.db).read
    expect(buildCentroid(two.db, 'f')?.stats.norm).toBeGreaterThan(0.6)
    ids(one.db, inCone())
    expect(heldShelves(one.db).read - before).toBe(START - 9)
    const fresh = openDatabase(path).db
    const question = inCone()
    expect(near(one.db, question, 20)).toEqual(near(fresh, question, 20))
    // a centre that has hardly moved costs nothing
    expect(buildCentroid(two.db, 'f')).toBeDefined()
    ids(one.db, question)
    expect(heldShelves(one.db).read - before).toBe(START - 9)
    for (const { db } of [one, two]) db.close()
    fresh.close()
  })

  it('are the same as those read anew after anything that was done on two connections', () => {
    const act = fc.record({
      who: fc.nat({ max: 1 }),
      what: fc.constantFrom('put', 'put', 'move', 'remove', 'undo', 'ask', 'centre', 'many'),
      n: fc.nat({ max: 20 }),
    })
    const next = gaussian(4)
    const { one, path } = start(next)
    const two = connection(path)
    let clock = 100_000
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25, size: 'max' }), acts => {
        for (const { who, what, n } of acts) {
          const on = who === 0 ? one : two
          const vector = randomVector(next, DIMENSION)
          clock += 1
          if (what === 'put') on.put(10_000 + n, vector, clock)
          else if (what === 'move') on.put(n, vector, clock)
          else if (what === 'remove') on.remove(10_000 + n)
          else if (what === 'centre') buildCentroid(on.db, 'f')
          else if (what === 'many') for (let i = 0; i < 40; i++) on.put(n, randomVector(next, DIMENSION), ++clock)
          else if (what === 'undo') {
            on.db.exec('BEGIN')
            on.put(20_000 + n, vector, clock)
            on.remove(n)
            ids(on.db, vector)
            on.db.exec('ROLLBACK')
          }
          ids(on.db, vector)
        }
        const fresh = openDatabase(path).db
        for (let again = 0; again < 5; again++) {
          const question = randomVector(next, DIMENSION)
          const expected = near(fresh, question, 20)
          expect(near(one.db, question, 20)).toEqual(expected)
          expect(near(two.db, question, 20)).toEqual(expected)
        }
        fresh.close()
      }),
      runs(25),
    )
    one.db.close()
    two.db.close()
  })
})
