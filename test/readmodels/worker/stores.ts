/** Stores over a home of their own, the logs and streams beside them, and what they hold. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredEvent } from '../../../src/events/index.ts'
import { JournalWriter } from '../../../src/logs/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { dump } from '../projector/folding.ts'

export interface Home {
  readonly path: string
  readonly journal: string
  readonly sessions: string
}

export function newHome(): Home {
  const home = tempDir()
  return {
    path: join(home, 'hologram', 'memory.db'),
    journal: join(home, 'hologram', 'journal'),
    sessions: join(home, 'sessions'),
  }
}

const open = new Set<Store>()

/** A store that is closed after the test. */
export function store(
  { path, journal }: Pick<Home, 'path' | 'journal'>,
  over: { path?: string; keepJournal?: boolean } = {},
): Store {
  const made = new Store({ path, journal, ...over })
  open.add(made)
  return made
}

/** For an `afterEach`. */
export function closeStores(): void {
  for (const one of open) one.close()
  open.clear()
  removeTempDirs()
}

/** What a rebuild from the journal alone would hold. */
export async function rebuilt(home: Home): Promise<string> {
  const fresh = store(home, { path: ':memory:', keepJournal: true })
  await fresh.catchUpJournal()
  return dump(fresh.database)
}

/** A journal stream that another process wrote. */
export function foreignStream({ journal }: Home, name: string, events: readonly StoredEvent[]): string {
  const writer = new JournalWriter(join(journal, `${name}.jsonl`))
  writer.append(events)
  writer.close()
  return writer.path
}

/** Every whole line of every stream, parsed. */
export function journalEvents({ journal }: Home): StoredEvent[] {
  return readdirSync(journal)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .flatMap(name => readFileSync(join(journal, name), 'utf8').split('\n'))
    .filter(line => line !== '')
    .map(line => (JSON.parse(line) as { event: StoredEvent }).event)
}

export function idsOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ data }) => String(Reflect.get(data as object, 'id')))
}

export function line(event: StoredEvent, seq: number): string {
  return `${JSON.stringify({ type: event.type, seq, time: 1, ignorable: true, data: event.data })}\n`
}

/** A plain session log of these events among the host's own, in the host's layout. Returns its path. */
export function sessionLog({ sessions }: Home, id: string, events: readonly StoredEvent[], tail = ''): string {
  const path = join(sessions, '--project--', id, 'session.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  const header = `${JSON.stringify({ type: 'session', version: 0, id, createdAt: 1, delegationDepth: 0 })}\n`
  const foreign = (seq: number) => `${JSON.stringify({ type: 'turn/start', seq, time: 1, data: { turn: 1 } })}\n`
  writeFileSync(path, header + foreign(0) + events.map((event, at) => line(event, at + 1)).join('') + tail)
  return path
}

/** Sets a file's times, so that two writes of it look like one. */
export function stamp(path: string): void {
  utimesSync(path, 1_700_000_000, 1_700_000_000)
}
