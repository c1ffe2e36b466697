import type { Database } from 'better-sqlite3'
import type { RecallEvent } from '../../events/index.ts'

/** What was recalled, and what came back each time. */
export function recallTables(db: Database) {
  const add = db.prepare(`INSERT OR IGNORE INTO recalls
    (event, ns, clock, session, turn, time, mode, query_hash, message, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const addHit = db.prepare(`INSERT OR IGNORE INTO recall_hits
    (ns, block, clock, event, rank, time, score, exact, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
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
      hits.forEach((hit, rank) => {
        addHit.run(ns, hit.block, clock, id, rank, at.time, hit.score, hit.exact ? 1 : 0, hit.why)
      })
      return hits.map(hit => hit.block)
    },
  }
}
