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

/** One page of a cold document that a recall brought. */
export interface RecalledPage {
  readonly doc: string
  /** From 0. */
  readonly page: number
  readonly score: number
  readonly exact: boolean
  readonly why: string
  /** Of the document; null when it is not known. */
  readonly title: string | null
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
  readonly pages: readonly RecalledPage[]
}

type Row = Omit<RecordedRecall, 'hits' | 'pages'>
type HitRow = Omit<RecalledHit, 'exact'> & { readonly exact: number }
type PageRow = Omit<RecalledPage, 'exact'> & { readonly exact: number }

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
  const pages = db.prepare<[string], PageRow>(
    `SELECT p.doc, p.page, p.score, p.exact, p.why, d.title
     FROM recall_pages p LEFT JOIN cold_docs d USING (ns, doc) WHERE p.event = ? ORDER BY p.score DESC, p.doc, p.page`,
  )
  return recalls.all({ session: session ?? null, limit }).map(recall => ({
    ...recall,
    hits: hits.all(recall.event).map(hit => ({ ...hit, exact: hit.exact === 1 })),
    pages: pages.all(recall.event).map(page => ({ ...page, exact: page.exact === 1 })),
  }))
}
