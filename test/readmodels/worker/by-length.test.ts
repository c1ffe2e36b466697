/** Law 3: a host repairs a log by appending, so that a shorter one can look longer. Catch-up by length is fooled; by ids it is not. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import { commit, runs } from '../../support/events.ts'
import { closeStores, type Home, idsOf, newHome, sessionLog, store } from './stores.ts'

afterEach(closeStores)

/** A session that said some things, lost the last of them, was repaired, and went on. */
const arbHistory = fc.record({
  before: fc.integer({ min: 1, max: 5 }),
  lost: fc.integer({ min: 1, max: 3 }),
  after: fc.integer({ min: 1, max: 5 }),
  repair: fc.nat({ max: 2_000 }),
})
type History = typeof arbHistory extends fc.Arbitrary<infer T> ? T : never

type CatchUp = (home: Home, path: string) => Promise<void>

/** Plays a history before a reader; returns ids that were in the log at one of its looks. */
async function play(home: Home, { before, lost, after, repair }: History, catchUp: CatchUp): Promise<string[]> {
  const facts = (from: number, many: number) =>
    Array.from({ length: many }, (_, n) => commit(from + n, `fact ${from + n}`))
  const first = facts(1, before)
  await catchUp(home, sessionLog(home, 's', first))
  const kept = first.slice(0, Math.max(0, before - lost))
  const mended = `${JSON.stringify({ type: 'turn/end', seq: 9, time: 1, data: { reason: 'x'.repeat(repair) } })}\n`
  const later = facts(100, after)
  const tail = later.map(({ type, data }) => `${JSON.stringify({ type, seq: 10, time: 1, data })}\n`).join('')
  await catchUp(home, sessionLog(home, 's', kept, mended + tail))
  return idsOf([...first, ...later]).sort()
}

/** What "read on from where the last look ended" finds. */
function byLength(seen: Set<string>): CatchUp {
  let read = 0
  return async (_, path) => {
    const bytes = readFileSync(path)
    for (const line of bytes.subarray(read).toString('utf8').split('\n')) {
      if (line.includes('hologram/') && line.startsWith('{'))
        seen.add(idsOf([JSON.parse(line) as StoredEvent])[0] ?? '')
    }
    read = bytes.length
  }
}

describe('a log that was repaired between two looks', () => {
  it('is caught up on whole', async () => {
    await fc.assert(
      fc.asyncProperty(arbHistory, async history => {
        const home = newHome()
        const one = store(home, { path: ':memory:' })
        const said = await play(home, history, ({ sessions }) => one.catchUp([sessions]))
        expect(one.database.prepare('SELECT id FROM events_seen ORDER BY id').pluck().all()).toEqual(said)
        closeStores()
      }),
      runs(30),
    )
  })

  it('is not, by who goes by its length', async () => {
    const result = await fc.check(
      fc.asyncProperty(arbHistory, async history => {
        const seen = new Set<string>()
        const said = await play(newHome(), history, byLength(seen))
        expect([...seen].sort()).toEqual(said)
      }),
      { numRuns: 100, endOnFailure: true },
    )
    expect(result.failed).toBe(true)
  })
})
