/** Law 1 for what is stored: live, and rebuilt from logs, from the journal, from both, and from events in any order, is one memory. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { dump, dumpOf } from '../readmodels/projector/folding.ts'
import { arbEvents, runs } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { shuffled } from './shuffled.ts'
import {
  answersOf,
  closeAll,
  dumpOfStore,
  eventsInJournal,
  eventsInLogs,
  foldedFrom,
  keep,
  rebuild,
  type Sources,
} from './sources.ts'

afterAll(removeTempDirs)

const QUESTIONS = ['what is the staging port?', 'svc|port', '端口 8080']

/**
 * A program: events as they came to be, some in sessions and some in none; where each group of them ended; which
 * sessions were forked, and after how many of their events.
 */
const arbProgram = fc.record({
  events: arbEvents(16),
  groups: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 16, maxLength: 16, size: 'max' }),
  forks: fc.array(fc.record({ of: fc.constantFrom('s1', 's2', 's3'), after: fc.nat({ max: 6 }) }), { maxLength: 3 }),
  zstd: fc.boolean(),
  seed: fc.nat(),
})

function sessionOf({ data }: StoredEvent): string | undefined {
  return (data as { at: { session?: string } }).at.session
}

/** The log of each session, forks included: a fork starts with what its parent had said. */
function logsOf(
  events: readonly StoredEvent[],
  forks: ReadonlyArray<{ of: string; after: number }>,
): Map<string, StoredEvent[]> {
  const logs = new Map<string, StoredEvent[]>()
  for (const event of events) {
    const session = sessionOf(event)
    if (session !== undefined) logs.set(session, [...(logs.get(session) ?? []), event])
  }
  forks.forEach(({ of, after }, n) => {
    logs.set(`${of}-fork${n}`, (logs.get(of) ?? []).slice(0, after))
  })
  return logs
}

function store(sources: Sources, logs: ReadonlyMap<string, readonly StoredEvent[]>, zstd: boolean): void {
  for (const [id, events] of logs) {
    const records = [{ type: 'session', version: 0, id, createdAt: 1, delegationDepth: 0 }, ...events]
    const text = records.map(record => `${JSON.stringify({ time: 1, ignorable: true, ...record })}\n`).join('')
    const path = join(sources.sessions, '--p--', id, zstd ? 'session.jsonl.zstd' : 'session.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, zstd ? zstdCompressSync(text) : text)
  }
}

it('a memory is one, byte for byte and answer for answer, wherever and in whatever order it is read from', async () => {
  await fc.assert(
    fc.asyncProperty(arbProgram, async ({ events, groups, forks, zstd, seed }) => {
      const home = tempDir()
      const sources = { sessions: join(home, 'sessions'), journal: join(home, 'journal') }
      const live = keep(new Store({ path: ':memory:', journal: sources.journal }))
      let from = 0
      for (const size of groups) {
        if (from >= events.length) break
        live.fold(events.slice(from, from + size))
        from += size
      }
      const logs = logsOf(events, forks)
      store(sources, logs, zstd)
      const [memory, answers] = [dump(live.database), answersOf(live, QUESTIONS)]

      for (const source of ['journal', 'both'] as const) {
        const rebuilt = await rebuild(sources, source)
        expect(dumpOfStore(rebuilt)).toBe(memory)
        expect(answersOf(rebuilt, QUESTIONS)).toEqual(answers)
      }
      const inSessions = events.filter(event => sessionOf(event) !== undefined)
      expect(dumpOfStore(await rebuild(sources, 'logs'))).toBe(dumpOf([inSessions]))

      const everywhere = [...(await eventsInLogs(sources)), ...(await eventsInJournal(sources))]
      const anyhow = foldedFrom(shuffled([...everywhere, ...everywhere], seed))
      expect(dumpOfStore(anyhow)).toBe(memory)
      expect(answersOf(anyhow, QUESTIONS)).toEqual(answers)

      // Catching up on the logs of what is known already changes nothing.
      await live.catchUp([sources.sessions])
      expect(dump(live.database)).toBe(memory)
      closeAll()
      removeTempDirs()
    }),
    runs(60),
  )
}, 300_000)
