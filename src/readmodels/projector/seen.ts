import { hash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { MemoryEvent } from '../../events/index.ts'

/** An event that was folded. */
export interface SeenEvent {
  readonly journaled: number
  /** Whether its block was new in its namespace when it was folded. */
  readonly brought: number
  readonly digest: number
}

/** An event with what is asked of it again and again. */
export interface DigestedEvent {
  readonly event: MemoryEvent
  readonly digest: number
}

/** 48 bits of what an event says. A payload that was read has its members in the order of its schema. */
export function digestOf({ verb, data }: MemoryEvent): number {
  return Number.parseInt(hash('sha256', `${verb} ${JSON.stringify(data)}`, 'hex').slice(0, 12), 16)
}

/**
 * Which events were folded. An id has one content: where damage or forgery gives it several, the one with the lowest
 * digest counts, whichever was met first. One that was folded before it was found to be another's is undone by starting
 * over: see `isDisputed`.
 */
export function seenEvents(db: Database) {
  const find = db.prepare<[string], SeenEvent>('SELECT journaled, brought, digest FROM events_seen WHERE id = ?')
  const add = db.prepare(
    'INSERT INTO events_seen (id, clock, verb, ns, session, seq, journaled, brought, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const markJournaled = db.prepare('UPDATE events_seen SET journaled = 1 WHERE id = ?')
  const lowest = db.prepare<[string], number>('SELECT digest FROM disputes WHERE event = ?').pluck()
  const dispute = db.prepare(`INSERT INTO disputes (event, digest) VALUES (?, ?)
    ON CONFLICT (event) DO UPDATE SET digest = min(digest, excluded.digest)`)
  const anyDispute = db.prepare<[], number>('SELECT 1 FROM disputes LIMIT 1').pluck()

  return {
    find: (id: string): SeenEvent | undefined => find.get(id),
    markJournaled: (id: string): void => {
      markJournaled.run(id)
    },

    add(
      { event: { verb, data }, digest }: DigestedEvent,
      ns: number,
      seq: number | undefined,
      journaled: boolean,
      brought: boolean,
    ): void {
      const session = data.at.session ?? ''
      add.run(data.id, data.clock, verb, ns, session, seq ?? null, Number(journaled), Number(brought), digest)
    },

    /** Whether this content of an event counts, as far as is known; another one that was met is remembered. */
    counts({ event, digest }: DigestedEvent, seen: SeenEvent | undefined): boolean {
      const { id } = event.data
      if (seen !== undefined) {
        if (seen.digest !== digest) dispute.run(id, Math.min(seen.digest, digest))
        return seen.digest === digest
      }
      const low = anyDispute.get() === undefined ? undefined : lowest.get(id)
      if (low !== undefined && digest < low) dispute.run(id, digest)
      return low === undefined || digest <= low
    },
  }
}

/** Whether something was folded that does not count: all has to be folded anew. */
export function isDisputed(db: Database): boolean {
  return (
    db
      .prepare('SELECT 1 FROM disputes d JOIN events_seen e ON e.id = d.event WHERE e.digest <> d.digest LIMIT 1')
      .get() !== undefined
  )
}
