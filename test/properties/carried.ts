/** What logs and journal hold, after it was taken elsewhere in the ways there are, through real files. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { collectEvents } from '../../src/cli/export-collect.ts'
import type { StoredEvent } from '../../src/events/index.ts'
import { detach } from '../../src/logs/detach/index.ts'
import { JournalWriter } from '../../src/logs/index.ts'
import { EventSpool, readPortable, writePortable } from '../../src/logs/portable/index.ts'
import { tempDir } from '../support/temp.ts'
import { eventsInJournal, eventsInLogs, type Sources } from './sources.ts'
import { idOf, type PlainShelf } from './world.ts'

export const NO_HOST = { places: { home: '', paths: [] }, findHosts: async () => [] }

/** Of one program in so many all logs are files. */
const EVERY = 16

/** A session's log as the host writes one. */
export function sessionText(id: string, events: readonly StoredEvent[]): string {
  const header = { type: 'session', version: 0, id, createdAt: 1, delegationDepth: 0 }
  const records = [header, ...events.map((event, seq) => ({ ...event, seq, time: 1, ignorable: true }))]
  return records.map(record => `${JSON.stringify(record)}\n`).join('')
}

export interface Carried {
  /** What an export holds that is read back. */
  readonly exported: readonly StoredEvent[]
  /** What the journal holds after no log holds anything of ours any more. */
  readonly detached: readonly StoredEvent[]
}

/**
 * Writes what a program left to files, exports it, reads the export back, and detaches the logs. Reading a log takes a
 * millisecond, and detaching reads it several times; so of most programs one log is a file, another one each time, and
 * what the others hold is in the journal only.
 *
 * @param seed which logs are files, and whether the journal has a copy already of what they hold
 */
export async function carried(shelf: PlainShelf, seed: number): Promise<Carried> {
  const home = tempDir()
  const sources = { sessions: join(home, 'sessions'), journal: join(home, 'journal') }
  const sessions = [...shelf.logs]
  const files = seed % EVERY === 0 ? sessions : sessions.slice(seed % sessions.length).slice(0, 1)
  const inFiles = new Set(files.flatMap(([, events]) => events.map(idOf)))
  const copied = (seed >> 8) % 2 === 0
  const writer = JournalWriter.inFolder(sources.journal)
  writer.append(shelf.journal.filter(event => copied || !inFiles.has(idOf(event))))
  writer.close()
  for (const [id, events] of files)
    writeLog(join(sources.sessions, '--p--', id, 'session.jsonl'), sessionText(id, events))
  const exported = await throughExport(home, sources)
  const results = await detach({ roots: [sources.sessions], journal: sources.journal, apply: NO_HOST })
  assert.deepEqual(
    new Map(results.map(({ session, status }) => [session, status])),
    new Map(files.map(([id, events]) => [id, events.length === 0 ? 'clean' : 'applied'])),
  )
  assert.deepEqual(await eventsInLogs(sources), [])
  const detached = await eventsInJournal(sources)
  rmSync(home, { recursive: true })
  return { exported, detached }
}

/** Last written long ago, so that it can be detached. */
function writeLog(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, 1_600_000_000, 1_600_000_000)
}

async function throughExport(home: string, { sessions, journal }: Sources): Promise<StoredEvent[]> {
  const spool = new EventSpool(join(home, 'spool'))
  const path = join(home, 'memory.jsonl')
  await collectEvents({ from: 'both', journal, roots: [sessions], namespaces: [] }, spool, () => {})
  writePortable(path, spool.count, spool.lines())
  spool.close()
  const file = await open(path)
  try {
    return await Array.fromAsync(readPortable(file))
  } finally {
    await file.close()
  }
}
