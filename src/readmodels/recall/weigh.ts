import type { Database } from 'better-sqlite3'
import { CHINESE_COMMON_CHARS, hash32, type QueryTerm } from '../analyse/index.ts'
import type { RecallMemory } from './memory.ts'
import { SETTINGS } from './settings.ts'
import type { Space } from './space.ts'

/** A query token with its place in one namespace. */
export interface WeighedTerm {
  readonly token: string
  readonly surface: string
  readonly hash: number
  readonly weight: number
  /** `ln(1 + (N − n + .5)/(n + .5))`, N blocks of the namespace, n of them with the token. */
  readonly idf: number
  /** Blocks of the namespace that hold it. */
  readonly count: number
  /** Which they are; empty for single characters that stand beside other terms. */
  readonly rows: Int32Array
}

export interface WeighedQuery {
  /** Terms that find rows. */
  readonly selecting: readonly WeighedTerm[]
  /**
   * Single characters that find rows where the others find few: "what does she learn" (她在学什么) shares one character with
   * "I took up the cello" (我开始学大提琴了). Their lists are the longest of all, so they are not read before it comes to that.
   */
  readonly spare: readonly WeighedTerm[]
  /** All that re-score them: single characters too. */
  readonly scoring: readonly WeighedTerm[]
  /** `Σ weight · idf · 2` over all terms, those no row holds included: what a row would get that is nothing but the question. */
  readonly most: number
  /**
   * `Σ weight · idf` with words no block holds counted as if one did, as nobody knows how rare they are; unseen pairs of
   * characters at half, as every other pair of a Chinese sentence lies across two words.
   */
  readonly extent: number
}

const NO_ROWS = new Int32Array(0)

/** Looks up each token of a question in one namespace. */
export function weighTerms(
  db: Database,
  memory: RecallMemory,
  space: Space,
  terms: readonly QueryTerm[],
): WeighedQuery {
  const hasMore = terms.some(term => term.kind !== 'single')
  const selecting: WeighedTerm[] = []
  const spare: WeighedTerm[] = []
  const scoring: WeighedTerm[] = []
  let most = 0
  let extent = 0
  for (const term of terms) {
    const selects = term.kind !== 'single' || !hasMore
    const rows = selects ? memory.postings.rows(db, space, term.token) : NO_ROWS
    const n = selects ? rows.length : memory.postings.count(db, space, term.token)
    const idf = Math.log(1 + (space.blocks - n + 0.5) / (n + 0.5))
    most += term.weight * idf * 2
    const known = Math.log(1 + (space.blocks - Math.max(1, n) + 0.5) / (Math.max(1, n) + 0.5))
    const unseenPair = term.kind === 'pair' && n === 0
    extent += term.weight * known * (unseenPair ? SETTINGS.relevance.unseenPair : 1)
    if (n === 0) continue
    const weighed = {
      token: term.token,
      surface: term.surface,
      hash: hash32(term.token),
      weight: term.weight,
      idf,
      count: n,
      rows,
    }
    scoring.push(weighed)
    if (selects) selecting.push(weighed)
    else if (!CHINESE_COMMON_CHARS.has(term.token)) spare.push(weighed)
  }
  return { selecting, spare, scoring, most, extent }
}
