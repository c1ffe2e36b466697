/** One event id with several contents, by damage or forgery: the order of reading does not decide which one counts. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import { commit, runs } from '../../support/events.ts'
import { dump } from '../projector/folding.ts'
import { link, purge } from '../recall/events.ts'
import { closeStores, foreignStream, newHome, type rebuilt, sessionLog, store } from './stores.ts'

afterEach(closeStores)

const BEFORE = [commit(1, 'alpha'), commit(2, 'beta')]
/** Contents of event 3. */
const SAID: readonly StoredEvent[] = [
  commit(3, 'gamma'),
  commit(3, 'delta', { scene: 'x' }),
  commit(3, 'gamma', { clock: 9 }),
  link(3, 'alpha', 'beta'),
  purge(3, ['alpha']),
]

describe('an event with several contents', () => {
  it('counts with one of them, whichever was met first, however it was met', async () => {
    const arb = fc.record({
      contents: fc.shuffledSubarray([...SAID], { minLength: 2 }),
      by: fc.constantFrom('fold', 'journal', 'log'),
    })
    await fc.assert(
      fc.asyncProperty(arb, async ({ contents, by }) => {
        const home = newHome()
        const live = store(home)
        live.fold(BEFORE)
        for (const [n, event] of contents.entries()) {
          if (by === 'fold') live.fold([event])
          else if (by === 'journal') foreignStream(home, `stream${n}`, [event])
          else sessionLog(home, `s${n}`, [event])
        }
        await live.catchUp([home.sessions])
        const same = contents.toSorted((a, b) => SAID.indexOf(a) - SAID.indexOf(b))
        const other = newHome()
        const ordered = store(other)
        ordered.fold([...same, ...BEFORE])
        await ordered.catchUp([])
        expect(dump(live.database)).toBe(dump(ordered.database))
        expect(await rebuiltWhole(home)).toBe(dump(live.database))
        expect(live.isBehind).toBe(false)
        expect(live.stats().skipped.disputed).toBeGreaterThan(0)
        closeStores()
      }),
      runs(25),
    )
  })

  it('has the same one after a restart, and after what was read last is gone', async () => {
    const home = newHome()
    const one = store(home)
    for (const event of SAID) one.fold([event])
    await one.catchUp([])
    const held = dump(one.database)
    expect(await rebuiltWhole(home)).toBe(held)
    const two = store(home)
    expect(two.isBehind).toBe(false)
    two.fold(SAID)
    expect(dump(two.database)).toBe(held)
  })
})

/** A rebuild from the journal, which may have to start over as well. */
async function rebuiltWhole(home: Parameters<typeof rebuilt>[0]): Promise<string> {
  const fresh = store(home, { path: ':memory:', keepJournal: true })
  await fresh.catchUp([])
  return dump(fresh.database)
}
