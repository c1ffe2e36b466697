/** The events of a harness home, as its logs and its journal hold them, and rebuilds from them. */
import { afterEach } from 'vitest'
import type { StoredEvent } from '../../src/events/index.ts'
import { listSessionLogs, listStreams, readSessionLog, readStream } from '../../src/logs/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { dump, timeless } from '../readmodels/projector/folding.ts'
import { VECTOR_QUESTIONS } from './world.ts'

export interface Sources {
  readonly sessions: string
  readonly journal: string
}

const open = new Set<Store>()

export function keep(store: Store): Store {
  open.add(store)
  return store
}

export function closeAll(): void {
  for (const store of open) store.close()
  open.clear()
}

afterEach(closeAll)

export async function eventsInLogs({ sessions }: Sources): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const log of listSessionLogs(sessions)) {
    for await (const item of readSessionLog(log)) {
      if (item.kind === 'event') events.push(item.event)
      else throw new Error(`${log.path}: ${item.issue.reason}`)
    }
  }
  return events
}

export async function eventsInJournal({ journal }: Sources): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (const stream of await listStreams(journal)) {
    for await (const item of readStream(stream.path)) if (item.kind === 'event') events.push(item.event)
  }
  return events
}

/** A database in memory, filled as `dsh-hologram rebuild` fills one. */
export async function rebuild(sources: Sources, from: 'logs' | 'journal' | 'both'): Promise<Store> {
  const store = keep(new Store({ path: ':memory:', journal: sources.journal, keepJournal: true }))
  if (from !== 'logs') await store.catchUpJournal()
  if (from !== 'journal') await store.catchUpLogs([sources.sessions])
  return store
}

/** A database in memory of events that are given. */
export function foldedFrom(events: readonly StoredEvent[]): Store {
  const store = keep(new Store({ path: ':memory:', journal: '', keepJournal: true }))
  store.fold(events)
  return store
}

export function dumpOfStore(store: Store): string {
  return dump(store.database)
}

/** Answers in every namespace together, without milliseconds; with pages where the texts of turns are at hand. */
export function answersOf(store: Store, questions: readonly string[], pages = false): unknown[] {
  const more = pages ? { pages: { topK: 20 } } : {}
  return [...questions.map(query => ({ query })), ...VECTOR_QUESTIONS].map(question =>
    timeless(store.recall({ ...question, scope: 'all', namespace: '', topK: 20, history: true, ...more })),
  )
}
