import type { Database } from 'better-sqlite3'
import { census } from './census.ts'

/** What tells whether a database is in use and up to date. */
export interface Health {
  readonly blocks: number
  readonly events: number
  readonly namespaces: number
  /** Work that one process at a time does, and who does it; `until` in Unix milliseconds. */
  readonly leases: ReadonlyArray<{ readonly name: string; readonly holder: string; readonly until: number }>
}

export function health(db: Database): Health {
  const { blocks, events, namespaces } = census(db)
  const leases = db.prepare<[], Health['leases'][number]>('SELECT name, holder, until FROM leases ORDER BY name').all()
  return { blocks, events, namespaces: namespaces.length, leases }
}

/** Whether an event is in the database, by its id. */
export function foldedEvents(db: Database): (id: string) => boolean {
  const find = db.prepare<[string], number>('SELECT 1 FROM events_seen WHERE id = ?').pluck()
  return id => find.get(id) !== undefined
}

/** Ids of all events in the database. */
export function eventIds(db: Database): Set<string> {
  return new Set(db.prepare<[], string>('SELECT id FROM events_seen').pluck().all())
}
