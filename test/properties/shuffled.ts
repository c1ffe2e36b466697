import { createHash } from 'node:crypto'

/** An order of its own for every seed, the same each time. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const rank = (at: number) => createHash('sha256').update(`${seed} ${at}`).digest('hex')
  return items
    .map((item, at) => ({ item, rank: rank(at) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item)
}
