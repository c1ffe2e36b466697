import { SETTINGS } from './settings.ts'
import type { WeighedQuery } from './weigh.ts'

/**
 * How much a block has to do with a question, 0 to 1, from its raw score: what hits show and what a floor is compared with.
 *
 *     x = s / (D^.75 · ln(1 + N)^.25)           relevance = x / (1 + x)
 *
 * D is the question's own weight (`WeighedQuery.extent`), N the blocks of the namespace. A share of the whole question
 * (power 1) would ask of a long question that a block answers every word of it; the sum alone (power 0) would call a block
 * that met three of thirty words as good as one that met three of four. ln(1 + N) is the weight of a rare word, so that the
 * same match means the same in a memory of five blocks and of five thousand. For one question and namespace it only rises
 * with `s`: the order of hits is that of `s`.
 */
export function relevanceOf(raw: number, weighed: WeighedQuery, blocks: number): number {
  const { share } = SETTINGS.relevance
  const x =
    raw / (Math.max(weighed.extent, Number.MIN_VALUE) ** share * Math.log(1 + Math.max(1, blocks)) ** (1 - share))
  return Number.isFinite(x) ? x / (1 + x) : 1
}
