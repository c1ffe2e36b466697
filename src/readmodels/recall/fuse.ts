import type { Near } from './near.ts'
import { byRank, finalScore, type Ranked } from './rankSpace.ts'
import type { Fusion } from './request.ts'
import { FUSION } from './settings.ts'

/** What the vector path adds to a row: `place` counts from 0. */
function vectorPart(fusion: Fusion, near: Near, place: number): number {
  return fusion === 'rank' ? 1 / (1 + place / FUSION.placeScale) : Math.max(0, near.similarity)
}

/**
 * One ranking of words and vectors. The score that a pin is added to becomes
 *
 *     rank:      .6 · 1/(1 + place/10)  +  .4 · (words/most words)²
 *     weighted:  .7 · cosine            +  .3 · words
 *
 * Places, not cosines, because models differ in how close they set everything; the square, because a lexical score far
 * below the best one is mostly chance and must not push a good vector neighbour down. Pins stay above everything.
 */
export function fuseVectors(ranked: readonly Ranked[], near: readonly Near[], fusion: Fusion = 'rank'): Ranked[] {
  if (near.length === 0) return [...ranked]
  const most = ranked.reduce((highest, one) => Math.max(highest, one.words), 0)
  const { vector, weightedVector } = FUSION
  const share = fusion === 'rank' ? vector : weightedVector
  const wordsPart = (words: number): number => (fusion === 'rank' ? (most === 0 ? 0 : (words / most) ** 2) : words)
  const nearby = new Map(near.map((hit, place) => [hit.row, { hit, part: vectorPart(fusion, hit, place) }]))
  const fused = ranked.map((one): Ranked => {
    const found = nearby.get(one.row)
    nearby.delete(one.row)
    const s = share * (found?.part ?? 0) + (1 - share) * wordsPart(one.words)
    const why = found === undefined ? one.why : (): string => `${one.why()}; ${closeness(found.hit)}`
    return { ...one, score: finalScore(s, one.pinned), why }
  })
  for (const { hit, part } of nearby.values()) {
    const { row, ns, clock, event } = hit
    fused.push({ row, ns, score: share * part, words: 0, pinned: 0, why: () => closeness(hit), clock, event })
  }
  return fused.sort(byRank)
}

function closeness(hit: Near): string {
  return `close in meaning (${hit.similarity.toFixed(2)})`
}
