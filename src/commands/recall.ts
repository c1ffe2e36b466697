import {
  leading,
  MAX_TOKENS,
  RECALL_VERSION,
  type RecallEvent,
  type Recalled,
  type RecalledPage,
  shortHash,
} from '../events/index.ts'
import type { Stamp } from './stamp.ts'

/** A recall that was shown to somebody. */
export interface RecallRecord {
  readonly mode: RecallEvent['mode']
  readonly query: string
  /** The query's symbols that pinned something. */
  readonly symbols: readonly string[]
  readonly hits: readonly Recalled[]
  /** Pages of cold documents. */
  readonly pages?: readonly RecalledPage[]
  /** Id and estimated tokens of the message that carried it, when it was injected. */
  readonly message?: string
  readonly tokens?: number
  readonly outcome: string
  readonly degraded: readonly string[]
}

/** The event that a recall leaves, cut to what its schema allows. The question is in it as a hash only. */
export function recallEvent(record: RecallRecord, stamp: Stamp): RecallEvent {
  const { mode, query, symbols, hits, pages = [], message, tokens, outcome, degraded } = record
  return {
    v: RECALL_VERSION,
    ...stamp,
    mode,
    query: {
      hash: shortHash(query),
      chars: query.length,
      symbols: symbols.slice(0, 64).map(symbol => cut(symbol, 200)),
    },
    hits: hits.slice(0, 200).map(shown),
    ...(pages.length === 0 ? {} : { pages: pages.slice(0, 100).map(shown) }),
    ...(message === undefined ? {} : { message: cut(message, 200) }),
    ...(tokens === undefined ? {} : { tokens: Math.min(whole(tokens), MAX_TOKENS) }),
    outcome: cut(outcome, 100),
    degraded: degraded.slice(0, 20).map(reason => cut(reason, 200)),
  }
}

/** A hit or page, as an event may say it. */
function shown<T extends { readonly score: number; readonly why: string }>(one: T): T {
  return { ...one, score: Number.isFinite(one.score) ? one.score + 0 : 0, why: cut(one.why, 2_000) }
}

function cut(text: string, length: number): string {
  return leading(text.toWellFormed(), length)
}

function whole(count: number): number {
  const rounded = Math.ceil(count)
  return Number.isSafeInteger(rounded) ? Math.max(0, rounded) : 0
}
