import type { Database } from 'better-sqlite3'
import type { Ranks } from './ranks.ts'
import { statement } from './statements.ts'
import { type StoredTerms, unpackTerms } from './storedTerms.ts'

/** One row as stage 2 sees it. */
export interface StoredRow {
  readonly row: number
  readonly length: number
  /** Share of its sentences that ask. */
  readonly asks: number
  readonly endsAsking: boolean
  readonly saysWhen: boolean
  readonly session: string | undefined
  readonly speaker: string | undefined
  /** Milliseconds UTC. */
  readonly saidAt: number | undefined
  /** First event of the row: the order of equal scores. */
  readonly clock: number
  readonly event: string
  readonly terms: StoredTerms
}

type Raw = [
  row: number,
  length: number,
  asks: number,
  endsAsking: number,
  saysWhen: number,
  session: string | null,
  speaker: string | null,
  saidAt: number | null,
  event: string,
  terms: Uint8Array,
]

const READ = `
SELECT t.row, t.length, t.asks, t.ends_asking, t.says_when, t.session, t.speaker, t.said_at, t.event, t.terms
FROM json_each(?) j JOIN recall_terms t ON t.row = j.value WHERE t.ns = ?`

/** Reads rows of one namespace into `into`; those already there are not read again. */
export function readStored(
  db: Database,
  ranks: Ranks,
  ns: number,
  rows: Iterable<number>,
  into: Map<number, StoredRow>,
): void {
  const missing = Array.from(rows).filter(row => !into.has(row))
  if (missing.length === 0) return
  for (const raw of statement(db, READ).raw().all(JSON.stringify(missing), ns) as Raw[]) {
    const [row, length, asks, endsAsking, saysWhen, session, speaker, saidAt, event, terms] = raw
    into.set(row, {
      row,
      length,
      asks,
      endsAsking: endsAsking === 1,
      saysWhen: saysWhen === 1,
      session: session ?? undefined,
      speaker: speaker ?? undefined,
      saidAt: saidAt ?? undefined,
      clock: ranks.clocks[row] ?? 0,
      event,
      terms: unpackTerms(terms),
    })
  }
}
