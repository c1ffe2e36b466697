import type { Database } from 'better-sqlite3'
import { compareOrder, type Order, type RecallEvent } from '../../events/index.ts'

/** What was recalled, and what came back each time. */
export function recallTables(db: Database, over: (ns: number, block: string) => Order | undefined) {
  const add = db.prepare(`INSERT OR IGNORE INTO recalls
    (event, ns, clock, session, turn, time, mode, query_hash, message, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const addHit = db.prepare(`INSERT OR IGNORE INTO recall_hits
    (ns, block, clock, event, rank, time, score, exact, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const hush = db.prepare(
    "UPDATE recall_hits SET why = '' WHERE ns = @ns AND block = @id AND (clock < @clock OR (clock = @clock AND event < @event))",
  )
  const namespaces = db.prepare<[string], number>('SELECT DISTINCT ns FROM recall_hits WHERE block = ?').pluck()

  return {
    /** Stores a recall. Returns the blocks it names, whether or not they are known yet. */
    foldRecall(event: RecallEvent, ns: number): string[] {
      const { id, clock, at, hits } = event
      add.run(
        id,
        ns,
        clock,
        at.session ?? '',
        at.turn ?? null,
        at.time,
        event.mode,
        event.query.hash,
        event.message ?? '',
        event.outcome,
      )
      hits.forEach(({ block, score, exact, why }, rank) => {
        // The reason quotes words of the block; of a purged one they are gone as well.
        const tombstone = over(ns, block)
        const kept = tombstone !== undefined && compareOrder(event, tombstone) < 0 ? '' : why
        addHit.run(ns, block, clock, id, rank, at.time, score, exact ? 1 : 0, kept)
      })
      return hits.map(hit => hit.block)
    },

    /** Forgets why blocks were recalled before they were purged. */
    hush(ids: readonly string[], ns: number | undefined): void {
      for (const id of ids) {
        for (const place of ns === undefined ? namespaces.all(id) : [ns]) {
          const tombstone = over(place, id)
          if (tombstone !== undefined) hush.run({ ns: place, id, clock: tombstone.clock, event: tombstone.id })
        }
      }
    },
  }
}
