/** Session logs of whole turns, as a host stores them, and what a store makes of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ArchiveEvent, readSaid, type Said } from '../../../src/events/index.ts'
import type { Material } from '../../../src/readmodels/index.ts'
import type { HostEvent } from '../../support/turns.ts'
import type { Home } from '../worker/stores.ts'

/** One line of a log: a host's event, or one of ours. */
export type LogEntry = HostEvent | { readonly ours: string; readonly data: unknown }

export function ours(verb: string, data: unknown): LogEntry {
  return { ours: `hologram/${verb}`, data }
}

/** The lines of a log with their seqs, header first. */
export function linesOf(id: string, entries: readonly LogEntry[]): string {
  const header = JSON.stringify({ type: 'session', version: 0, id, createdAt: 1, delegationDepth: 0 })
  const lines = entries.map((entry, seq) =>
    'ours' in entry
      ? JSON.stringify({ type: entry.ours, seq, time: 1, data: entry.data, ignorable: true })
      : JSON.stringify({ type: entry.type, seq, time: entry.time, data: entry.data, surfaceOp: entry.surfaceOp }),
  )
  return `${[header, ...lines].join('\n')}\n`
}

/** Writes a session log. Returns its path. */
export function writeLog({ sessions }: Pick<Home, 'sessions'>, id: string, entries: readonly LogEntry[]): string {
  const path = join(sessions, '--project--', id, 'session.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, linesOf(id, entries))
  return path
}

/** What a live session would hand over for a document. */
export function materialOf(event: ArchiveEvent, session: string, entries: readonly LogEntry[]): Material {
  const said = entries.flatMap((entry, seq): Said[] => {
    const record = 'ours' in entry ? undefined : readSaid({ ...entry, seq })
    return record === undefined ? [] : [record]
  })
  return { namespace: event.ns.id, doc: event.doc, session, said }
}
