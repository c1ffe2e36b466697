import { RECALL_VERSION, type RecallEvent, type Recalled, shortHash } from '../events/index.ts'
import type { Stamp } from './stamp.ts'

/** A recall that was shown to somebody. */
export interface RecallRecord {
  readonly mode: RecallEvent['mode']
  readonly query: string
  /** The query's symbols that pinned something. */
  readonly symbols: readonly string[]
  readonly hits: readonly Recalled[]
  /** Id and estimated tokens of the message that carried it, when it was injected. */
  readonly message?: string
  readonly tokens?: number
  readonly outcome: string
  readonly degraded: readonly string[]
}

/** The event that a recall leaves. The question is in it as a hash only. */
export function recallEvent(record: RecallRecord, stamp: Stamp): RecallEvent {
  const { mode, query, symbols, hits, message, tokens, outcome, degraded } = record
  return {
    v: RECALL_VERSION,
    ...stamp,
    mode,
    query: { hash: shortHash(query), chars: query.length, symbols: symbols.slice(0, 64) },
    hits: hits.slice(0, 200).map(({ block, score, exact, why }) => ({ block, score, exact, why: why.slice(0, 2_000) })),
    ...(message === undefined ? {} : { message }),
    ...(tokens === undefined ? {} : { tokens }),
    outcome,
    degraded: degraded.slice(0, 20).map(reason => reason.slice(0, 200)),
  }
}
