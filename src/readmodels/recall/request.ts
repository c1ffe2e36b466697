/** What is asked of recall, and what it answers. */
import type { RecallWeights } from '../weights.ts'

export interface RecallFilters {
  readonly source?: string
  /** Said in this session, whoever said it elsewhere too. */
  readonly session?: string
  /** This scene and those below it, compared by key (`sceneKey`). With a blank question: what is remembered of it. */
  readonly scene?: string
  readonly semanticType?: string
  /** When it was said, milliseconds UTC, both ends included. */
  readonly from?: number
  readonly to?: number
}

export interface RecallRequest {
  /** Namespaces that may be seen, each ranked by its own statistics. */
  readonly namespaces: readonly number[]
  /** Only blocks said in one of these sessions. */
  readonly sessions?: readonly string[]
  /** Only these blocks, by id. */
  readonly within?: readonly string[]
  readonly query: string
  /** Further questions of the same recall; their answers are fused with those of `query`. */
  readonly alsoAsk?: readonly string[]
  readonly topK: number
  /** Hits below this score are left out. Default 0. */
  readonly floor?: number
  /** List what newer facts replaced, with time and reason. */
  readonly history?: boolean
  readonly filters?: RecallFilters
  /** Blocks that edges connect with the hits, appended after them: this many at most. Default 0. */
  readonly associate?: number
  /** Hits to pass over, for paging. */
  readonly offset?: number
  /** The vector path's answer to `query`, best first. Without it the ranking is that of words alone. */
  readonly vectors?: readonly VectorHit[]
  /** When it is asked, for "yesterday" and 上周三: Unix milliseconds. Default: the wall clock. */
  readonly now?: number
  readonly fusion?: Fusion
  /** Default: .6 for vectors and .4 for words with `rank`, .7 and .3 with `weighted`. */
  readonly weights?: RecallWeights
  /** Explicit `supersedes` edges among the rows given, loser by winner. A later part of the read model supplies it. */
  readonly supersedes?: (ns: number, rows: readonly number[]) => readonly SupersedesEdge[]
}

/** A block that lies near the question in a vector space. */
export interface VectorHit {
  readonly row: number
  readonly ns: number
  /** Cosine, −1 to 1. */
  readonly similarity: number
  /** How much it has to do with the question, 0 to 1, where that is known better than by the cosine itself. */
  readonly relevance?: number
}

/**
 * How words and vectors become one ranking: `rank` (the default) goes by places in the vector ranking, `weighted` is
 * `0.7·vector + 0.3·words` over the scores themselves.
 */
export type Fusion = 'rank' | 'weighted'

export interface SupersedesEdge {
  readonly loser: number
  readonly winner: number
}

export interface RecallHit {
  readonly row: number
  readonly ns: number
  readonly id: string
  /** The stored text, byte for byte. */
  readonly text: string
  /** 0 to 1; with an exact symbol `1 + .01 · s`. */
  readonly score: number
  readonly exact: boolean
  /** Why it is here, in one English line. */
  readonly why: string
  /** Id of the block that replaced it; only where the filters keep that one from being shown in its place. */
  readonly supersededBy?: string
}

export interface SupersededHit {
  readonly row: number
  readonly ns: number
  readonly id: string
  readonly text: string
  /** Id of the block that replaced it. */
  readonly by: string
  /** When it was said, milliseconds UTC, as far as known. */
  readonly at: number | undefined
  readonly reason: string
}

/**
 * - `hits`: there are some;
 * - `nothing_stored`: the request may see no block at all;
 * - `below_floor`: blocks were searched, none came above the floor;
 * - `refused`: the question is about a number or name that no block holds;
 * - `empty_query`: there is nothing in the question to look for.
 */
export type RecallOutcome = 'hits' | 'nothing_stored' | 'below_floor' | 'refused' | 'empty_query'

export interface RecallCounters {
  /** Rows that were scored. */
  readonly candidates: number
  /** Rows left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

export interface RecallResult {
  readonly hits: readonly RecallHit[]
  /** Filled with `history: true`. */
  readonly superseded: readonly SupersededHit[]
  readonly outcome: RecallOutcome
  /** A sentence for the reader, for every outcome but `hits`. */
  readonly notice?: string
  /** When refused: numbers and names of the question that no block holds, at most five. */
  readonly missing?: readonly string[]
  readonly counters: RecallCounters
  /** What did not work, while the rest did. */
  readonly degraded: readonly string[]
}
