/** Several processes on one database and one journal folder: whatever the interleaving, one memory. */
import { spawn } from 'node:child_process'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { arbEvents, commit, runs } from '../../support/events.ts'
import { answers, dump, dumpOf } from '../projector/folding.ts'
import { closeModels, model } from './models.ts'
import { closeStores, idsOf, journalEvents, newHome, rebuilt, store } from './stores.ts'

afterEach(async () => {
  await closeModels()
  closeStores()
})

/** Events, and which of two processes meets each, some of them both. */
const arbInterleaved = arbEvents(16).chain(events =>
  fc.record({
    events: fc.constant(events),
    turns: fc.array(
      fc.record({
        who: fc.constantFrom(0, 1),
        from: fc.nat({ max: events.length - 1 }),
        many: fc.integer({ min: 1, max: 4 }),
      }),
      {
        minLength: 8,
        maxLength: 12,
        size: 'max',
      },
    ),
  }),
)

describe('two stores', () => {
  it('that write by turns, some of it twice, hold one memory, and a rebuild from the journal is it', async () => {
    await fc.assert(
      fc.asyncProperty(arbInterleaved, async ({ events, turns }) => {
        const home = newHome()
        const both = [store(home), store(home)] as const
        for (const { who, from, many } of turns) both[who as 0 | 1].fold(events.slice(from, from + many))
        both[0].fold(events)
        const folded = dumpOf([events])
        expect(dump(both[0].database)).toBe(folded)
        expect(dump(both[1].database)).toBe(folded)
        expect(answers(both[1].database)).toEqual(answers(both[0].database))
        expect(await rebuilt(home)).toBe(folded)
        closeStores()
      }),
      runs(20),
    )
  })

  it('find each other’s events at once, and neither journals what the other did', () => {
    const home = newHome()
    const [one, two] = [store(home), store(home)]
    one.fold([commit(1, 'the staging port is 8080')])
    expect(two.recall({ query: 'staging port', scope: 'all', namespace: '', topK: 1 }).hits).toHaveLength(1)
    expect(two.fold([commit(1, 'the staging port is 8080'), commit(2, 'x y')])).toMatchObject({
      acks: [{ status: 'known' }, { status: 'folded' }],
      clock: 2,
    })
    expect(idsOf(journalEvents(home))).toHaveLength(2)
  })

  it('say that a block is new to whoever said it first, though the other folded the line', () => {
    const home = newHome()
    const [one, two] = [store(home), store(home)]
    const writer = Reflect.get(Reflect.get(one, 'intake') as object, 'writer') as { append(events: unknown): unknown }
    const append = writer.append.bind(writer)
    const said = [commit(1, 'the staging port is 8080'), commit(2, 'the staging port is 8080')]
    // The other reads the line in the moment between its writing and its folding.
    writer.append = events => {
      const span = append(events)
      two.fold(said)
      return span
    }
    expect(one.fold(said).acks).toEqual([
      { status: 'known', created: true },
      { status: 'known', created: false },
    ])
    writer.append = append
    expect(two.fold(said).acks.map(({ created }) => created)).toEqual([true, false])
  })

  it('see a rebuild of the other as if nothing had happened', async () => {
    const home = newHome()
    const [one, two] = [store(home), store(home)]
    one.fold(Array.from({ length: 20 }, (_, n) => commit(n + 1, `fact ${n} about port ${8_000 + n}`)))
    const [before, asked] = [dump(one.database), answers(one.database)]
    two.clear()
    expect(one.stats().blocks).toBe(0)
    await two.catchUpJournal()
    expect(dump(one.database)).toBe(before)
    expect(answers(one.database)).toEqual(asked)
    one.fold([commit(100, 'said after the rebuild')])
    await one.catchUpJournal()
    expect(one.stats().blocks).toBe(21)
    expect(dump(one.database)).toBe(await rebuilt(home))
  })
})

const CHILD = (home: string, first: number) => `
  const alive = setInterval(() => {}, 1000)
  const { WorkerReadModel } = await import(${JSON.stringify(new URL('../../../src/readmodels/index.ts', import.meta.url).href)})
  const { commit } = await import(${JSON.stringify(new URL('../../support/events.ts', import.meta.url).href)})
  const model = new WorkerReadModel(${home})
  for (let n = ${first}; n < ${first} + 150; n += 3) {
    const { acks } = await model.fold([0, 1, 2].map(i => commit(n + i, 'fact ' + (n + i) % 400)))
    for (const { status } of acks) console.log(status)
  }
  await model.close()
  clearInterval(alive)`

function run(
  script: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', data => {
    stdout += String(data)
  })
  child.stderr.on('data', data => {
    stderr += String(data)
  })
  return new Promise(resolve => child.once('close', code => resolve({ code, stdout, stderr })))
}

describe('three processes', () => {
  it('that commit at once lose nothing', async () => {
    const home = newHome()
    const here = model(home)
    await here.ready
    const others = [1_000, 2_000].map(first =>
      run(CHILD(JSON.stringify({ path: home.path, journal: home.journal }), first)),
    )
    for (let n = 1; n <= 150; n++) await here.fold([commit(n, `fact ${n}`)])
    for (const { code, stdout, stderr } of await Promise.all(others)) {
      expect(code, stderr).toBe(0)
      // known: another process read it in the journal before this one had folded it
      expect(['folded', 'pending', 'known']).toEqual(expect.arrayContaining([...new Set(stdout.trim().split('\n'))]))
    }
    expect(new Set(idsOf(journalEvents(home))).size).toBe(450)
    const check = store(home)
    await check.catchUpJournal()
    expect(check.stats()).toMatchObject({ events: 450, issues: 0 })
    expect(dump(check.database)).toBe(await rebuilt(home))
  })
})
