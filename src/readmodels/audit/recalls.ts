import type { Database } from 'better-sqlite3'

/** One thing a recall brought. */
export interface RecalledHit {
  readonly block: string
  readonly score: number
  readonly exact: boolean
  readonly why: string
  /** As it is now; null when it was purged since. */
  readonly text: string | null
}

/** One recall that was recorded. */
export interface RecordedRecall {
  readonly event: string
  readonly session: string
  readonly turn: number | null
  /** Its place in the session's log. */
  readonly seq: number | null
  /** Unix milliseconds. */
  readonly time: number
  readonly mode: string
  /** What came of it: hits, or why there were none. */
  readonly outcome: string
  readonly hits: readonly RecalledHit[]
}

type Row = Omit<RecordedRecall, 'hits'>
type HitRow = Omit<RecalledHit, 'exact'> & { readonly exact: number }

/** The latest recalls, of one session or of all, latest first. */
export function latestRecalls(db: Database, { session, limit }: { session?: string; limit: number }): RecordedRecall[] {
  const recalls = db.prepare<[{ session: string | null; limit: number }], Row>(
    `SELECT r.event, r.session, r.turn, e.seq, r.time, r.mode, r.outcome FROM recalls r JOIN events_seen e ON e.id = r.event
     WHERE @session IS NULL OR r.session = @session ORDER BY r.clock DESC, r.event DESC LIMIT @limit`,
  )
  const hits = db.prepare<[string], HitRow>(
    `SELECT h.block, h.score, h.exact, h.why, b.text_content AS text
     FROM recall_hits h LEFT JOIN memory_blocks b ON b.ns = h.ns AND b.id = h.block WHERE h.event = ? ORDER BY rank`,
  )
  return recalls.all({ session: session ?? null, limit }).map(recall => ({
    ...recall,
    hits: hits.all(recall.event).map(hit => ({ ...hit, exact: hit.exact === 1 })),
  }))
}
