import { appliedCentre } from './centroid.ts'
import { dot, unit } from './floats.ts'
import type { Mean } from './mean.ts'
import { CENTRING } from './settings.ts'

/** Relevance below which nothing is near at all: a fifth of the way from an average block to the question. */
export const LEAST_RELEVANCE = 0.2 ** 1.5

/**
 * How much a block has to do with a question by its cosine to it, 0 to 1. Models differ in how close they set what has
 * nothing to do with one another (.1 in one, .75 in the next), so what counts is how far the block is on the way from an
 * average block of the space to the question itself:
 *
 *     x = (cosine − a) / (1 − a)        a = mean cosine of the question with all n blocks, times n/(n + 20)
 *     relevance = x^1.5
 *
 * Where the centre is subtracted already, a is 0. Of a few blocks the mean says little, and the answer is itself part of
 * it: so it counts less the fewer there are. The power brings a floor to about the strictness it has for words; what it
 * loses and lets through is in `docs/embedding.md`.
 */
export function relevanceOf(question: ArrayLike<number>, mean: Mean | undefined): (cosine: number) => number {
  const average =
    mean === undefined || appliedCentre(mean) !== undefined
      ? 0
      : Math.max(0, dot(unit(question), mean.vector)) * (mean.count / (mean.count + CENTRING.vectors))
  return cosine => (average >= 1 ? 0 : Math.max(0, (cosine - average) / (1 - average)) ** 1.5)
}
