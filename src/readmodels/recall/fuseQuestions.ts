import { byRank, type Ranked } from './rankSpace.ts'

/**
 * Rankings of several questions as one: a block keeps its best score. Several questions are several chances to be found,
 * not votes: what answers one of them well must not sink because the others ask something else.
 */
export function fuseQuestions(rankings: readonly (readonly Ranked[])[]): Ranked[] {
  const [only] = rankings
  if (rankings.length === 1 && only !== undefined) return [...only]
  const best = new Map<number, Ranked>()
  for (const one of rankings.flat()) {
    const known = best.get(one.row)
    if (known === undefined || byRank(one, known) < 0) best.set(one.row, one)
  }
  return [...best.values()].sort(byRank)
}
