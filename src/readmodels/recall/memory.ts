import type { Database } from 'better-sqlite3'
import { Places } from './places.ts'
import { Postings } from './postings.ts'
import { Ranks } from './ranks.ts'

/** What recall holds in memory for one connection. All of it can be dropped at any time. */
export interface RecallMemory {
  readonly postings: Postings
  readonly ranks: Ranks
  readonly places: Places
}

const memories = new WeakMap<Database, RecallMemory>()

export function memoryOf(db: Database): RecallMemory {
  let memory = memories.get(db)
  if (memory === undefined) {
    memory = { postings: new Postings(), ranks: new Ranks(), places: new Places() }
    memories.set(db, memory)
  }
  return memory
}

/** Drops what is held in memory for a connection, for instance to measure a first pass. */
export function forgetMemory(db: Database): void {
  memories.delete(db)
}
