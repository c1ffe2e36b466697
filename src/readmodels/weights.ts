/**
 * How much of a fused score comes from vectors and how much from words: two numbers of at least 0, not both 0, of which
 * only the ratio counts. `{vectors: 0, words: 1}` is the ranking of words alone.
 */
export interface RecallWeights {
  readonly vectors: number
  readonly words: number
}

/** What is wrong with weights that were handed in from outside, in words; `undefined` when they can be used. */
export function problemOfWeights(weights: unknown): string | undefined {
  if (typeof weights !== 'object' || weights === null) return 'weights must be {vectors, words}'
  const { vectors, words, ...others } = weights as Partial<Record<string, unknown>>
  const [other] = Object.keys(others)
  if (other !== undefined) return `there is no weight "${other.slice(0, 40)}"; there are vectors and words`
  for (const [name, weight] of Object.entries({ vectors, words })) {
    if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) {
      return `weights.${name} must be a number of at least 0, not ${String(weight).slice(0, 40)}`
    }
  }
  return vectors === 0 && words === 0 ? 'weights.vectors and weights.words must not both be 0' : undefined
}
