import { problemOfWeights, type RecallWeights } from '../weights.ts'
import type { Near } from './near.ts'
import { byRank, finalScore, type Ranked } from './rankSpace.ts'
import type { Fusion } from './request.ts'
import { FUSION } from './settings.ts'

/** The vector path's share of a fused score, 0 to 1. Throws `RangeError` for weights that are none. */
function vectorShare(fusion: Fusion, weights: RecallWeights | undefined): number {
  if (weights === undefined) return fusion === 'rank' ? FUSION.vector : FUSION.weightedVector
  const problem = problemOfWeights(weights)
  if (problem !== undefined) throw new RangeError(problem)
  // Not over their sum, which may be no number any more.
  const most = Math.max(weights.vectors, weights.words)
  return weights.vectors / most / (weights.vectors / most + weights.words / most)
}

/** What the vector path adds to a row: `place` counts from 0. */
function vectorPart(fusion: Fusion, near: Near, place: number): number {
  return fusion === 'rank' ? 1 / (1 + place / FUSION.placeScale) : Math.max(0, near.similarity)
}

/** How much a vector hit has to do with the question, 0 to 1. */
function relevanceOf({ relevance, similarity }: Near): number {
  return relevance ?? Math.max(0, similarity)
}

/**
 * One ranking of words and vectors. It goes by
 *
 *     rank:      .6 · 1/(1 + place/10)  +  .4 · (words/most words)²
 *     weighted:  .7 · cosine            +  .3 · words
 *
 * Places, not cosines, because models differ in how close they set everything; the square, because a lexical score far
 * below the best one is mostly chance and must not push a good vector neighbour down. Pins stay above everything.
 * `weights` take the place of .6 and .4, or .7 and .3.
 *
 * A place says nothing of how much a block has to do with the question, as something is always first. So what `rank` hits
 * show, and what a floor is compared with, is the relevance by words or by meaning, whichever is higher; `weighted` hits
 * show what they are ranked by.
 */
export function fuseVectors(
  ranked: readonly Ranked[],
  near: readonly Near[],
  fusion: Fusion = 'rank',
  weights?: RecallWeights,
): Ranked[] {
  const share = vectorShare(fusion, weights)
  if (near.length === 0 || share === 0) return [...ranked]
  const most = ranked.reduce((highest, one) => Math.max(highest, one.words), 0)
  const wordsPart = (words: number): number => (fusion === 'rank' ? (most === 0 ? 0 : (words / most) ** 2) : words)
  const nearby = new Map(near.map((hit, place) => [hit.row, { hit, part: vectorPart(fusion, hit, place) }]))
  const shown = (key: number, words: number, hit: Near | undefined): number =>
    fusion === 'weighted' ? key : Math.max(words, hit === undefined ? 0 : relevanceOf(hit))
  const fused = ranked.map((one): Fused => {
    const found = nearby.get(one.row)
    nearby.delete(one.row)
    const s = share * (found?.part ?? 0) + (1 - share) * wordsPart(one.words)
    const why = found === undefined ? one.why : (): string => `${one.why()}; ${closeness(found.hit)}`
    const key = finalScore(s, one.pinned)
    return { shown: one.pinned > 0 ? key : shown(key, one.score, found?.hit), ranked: { ...one, score: key, why } }
  })
  for (const { hit, part } of nearby.values()) {
    const { row, ns, clock, event } = hit
    const score = share * part
    const ranked = { row, ns, score, words: 0, pinned: 0, why: () => closeness(hit), clock, event }
    fused.push({ shown: shown(score, 0, hit), ranked })
  }
  return fused.sort((a, b) => byRank(a.ranked, b.ranked)).map(({ shown, ranked }) => ({ ...ranked, score: shown }))
}

/** A row with what it is ranked by as its score, and what it shows. */
interface Fused {
  readonly shown: number
  readonly ranked: Ranked
}

function closeness(hit: Near): string {
  return `close in meaning (${hit.similarity.toFixed(2)})`
}
