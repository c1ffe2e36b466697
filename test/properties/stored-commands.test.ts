/**
 * Law 1 with every command, on disk: two processes on one database, a third with a database of its own, one journal, and
 * session logs. However the memory is read back, exported, imported or detached, it is the same.
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { detach } from '../../src/logs/detach/index.ts'
import { JournalWriter } from '../../src/logs/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { Machine } from '../cli/import-export.ts'
import { runs } from '../support/events.ts'
import { removeTempDirs } from '../support/temp.ts'
import { NO_HOST, sessionText } from './carried.ts'
import { assertLaws } from './laws.ts'
import { arbProgram } from './programs.ts'
import { closeAll, dumpOfStore, eventsInJournal, eventsInLogs, foldedFrom, keep, rebuild } from './sources.ts'
import { asked, idOf, type Shelf, World } from './world.ts'

afterAll(removeTempDirs)

/** A harness home. Logs are written whenever somebody is about to read them. */
class Disk implements Shelf {
  readonly logs = new Map<string, StoredEvent[]>()
  private readonly machine: Machine
  private readonly zstd: boolean

  constructor(machine: Machine, zstd: boolean) {
    this.machine = machine
    this.zstd = zstd
  }

  journalOnly(event: StoredEvent): void {
    const writer = JournalWriter.inFolder(this.machine.journal)
    writer.append([event])
    writer.close()
  }

  fold(store: Store, event: StoredEvent): void {
    store.fold([event])
  }

  async catchUp(store: Store): Promise<void> {
    this.write()
    await store.catchUp([this.machine.sessions])
  }

  private write(): void {
    for (const [id, events] of this.logs) {
      const text = sessionText(id, events)
      const path = join(this.machine.sessions, '--p--', id, this.zstd ? 'session.jsonl.zstd' : 'session.jsonl')
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, this.zstd ? zstdCompressSync(text) : text)
      // Long ago, so that they can be detached; sooner than any other version of it, so that it is seen to have changed.
      const then = 1_600_000_000 + events.length
      utimesSync(path, then, then)
    }
  }
}

it('the memory of any program is one, on disk, rebuilt, carried to another machine, and after detaching', async () => {
  let detached = 0
  await fc.assert(
    fc.asyncProperty(arbProgram, fc.boolean(), async ({ steps }, zstd) => {
      const [here, there] = [new Machine(), new Machine()]
      const { journal, path, sessions } = here
      const shared = [path, path].map(file => keep(new Store({ path: file, journal })))
      const own = keep(new Store({ path: join(here.home, 'own.db'), journal }))
      const world = new World(new Disk(here, zstd), [...shared, own])
      await world.run(steps)
      await world.settle()
      const [live] = shared
      if (live === undefined) throw new Error('there is no store')
      const [memory, answers] = [dumpOfStore(live), asked(live)]
      const same = (store: Store) => {
        expect(dumpOfStore(store)).toBe(memory)
        expect(asked(store)).toEqual(answers)
      }
      assertLaws(live, world.events)
      for (const store of [...shared, own]) same(store)

      const sources = { sessions, journal }
      same(await rebuild(sources, 'journal'))
      same(await rebuild(sources, 'both'))
      const inLogs = await eventsInLogs(sources)
      expect(dumpOfStore(await rebuild(sources, 'logs'))).toBe(dumpOfStore(foldedFrom(inLogs.toReversed())))

      // An event that was copied from a log is in the journal once.
      const journaled = (await eventsInJournal(sources)).map(idOf)
      expect(new Set(journaled)).toEqual(new Set(world.events.map(idOf)))

      const file = join(here.home, 'memory.jsonl')
      expect((await here.run('export', file)).code).toBe(0)
      expect((await there.run('import', file)).code).toBe(0)
      expect(await there.dump()).toBe(memory)
      expect(await there.rebuilt()).toBe(memory)

      for (const result of await detach({ roots: [sessions], journal, apply: NO_HOST })) {
        expect(result).toMatchObject({ status: result.status === 'clean' ? 'clean' : 'applied' })
        if (result.status === 'applied') detached += 1
      }
      expect(await eventsInLogs(sources)).toEqual([])
      same(await rebuild(sources, 'both'))
      await live.catchUp([sessions])
      same(live)
      closeAll()
      removeTempDirs()
    }),
    runs(25),
  )
  expect(detached).toBeGreaterThan(0)
}, 600_000)
