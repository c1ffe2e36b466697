import type { Database } from 'better-sqlite3'
import type { AnalysedQuery } from '../analyse/index.ts'
import type { VisibleSpace } from './abstain.ts'
import { findCandidates } from './candidates.ts'
import type { AskedWhen } from './dateMatch.ts'
import { explain } from './explain.ts'
import type { RecallMemory } from './memory.ts'
import { findPins } from './pins.ts'
import { rescore } from './rescore.ts'
import { SETTINGS } from './settings.ts'
import { weighTerms } from './weigh.ts'

/** One row in a ranking. */
export interface Ranked {
  readonly row: number
  readonly ns: number
  /** What hits are ordered by and show: the relevance, or with a pin see `finalScore`. */
  readonly score: number
  /** The score of words alone, 0 to 1. */
  readonly words: number
  /** Share of the question's symbols that it holds exactly, 0 to 1; 0 is no pin. */
  readonly pinned: number
  /** Why it is here; worked out for what is shown only. */
  readonly why: () => string
  readonly clock: number
  readonly event: string
}

/** `s` in 0 to 1 as it is; with a pin `1 + .01·s'`, `s'` the mean of it and the share of symbols held. */
export function finalScore(s: number, pinned: number): number {
  // A block with more of the symbols comes first, then the words decide.
  return pinned === 0 ? s : 1 + 0.01 * ((pinned + s) / 2)
}

/** Score, best first; equal ones in event order. */
export function byRank(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.clock - b.clock || (a.event < b.event ? -1 : a.event > b.event ? 1 : 0) || a.ns - b.ns
}

/**
 * Ranks one namespace for one question: exact pins above everything, the rest by words.
 *
 * @param depth how many hits are wanted at least
 */
export function rankSpace(
  db: Database,
  memory: RecallMemory,
  { space, allowed }: VisibleSpace,
  query: AnalysedQuery,
  asked: AskedWhen,
  depth: number,
): { ranked: Ranked[]; scored: number } {
  const weighed = weighTerms(db, memory, space, query.terms)
  const pins = findPins(db, space.ns, query.symbols, allowed)
  const shares = new Map(Array.from(pins, ([row, pin]) => [row, pin.share]))
  const capacity = Math.max(SETTINGS.candidates, depth)
  const rows = findCandidates(db, memory, space, weighed, shares, allowed, capacity)
  const scored = rescore(db, memory, space, query, asked, weighed, rows, allowed)
  const ranked = scored.map((one): Ranked => {
    const { row, clock, event } = one.stored
    const pin = pins.get(row)
    const pinned = pin?.share ?? 0
    const why = (): string => explain(one, pin?.symbols ?? [])
    const score = pinned === 0 ? one.relevance : finalScore(one.score, pinned)
    return { row, ns: space.ns, score, words: one.score, pinned, why, clock, event }
  })
  return { ranked: ranked.sort(byRank), scored: scored.length }
}
