import { COARSE, FINE, groupsOf } from './encode.ts'
import { rotate } from './rotate.ts'

/** Largest entry: four of them fit a byte. */
const LARGEST = 63
/** Largest sum of all entries of a code. */
const LARGEST_SUM = 65_535

/** What a question's scan adds up. */
export interface Tables {
  readonly groups: number
  /** 16 entries a group, one for each pair of levels. */
  readonly entries: Uint8Array
  /** No code's sum is higher. */
  readonly highest: number
  /** For each dimension its part of the product, by `4 · first step + second step`. */
  readonly fine: Float32Array
}

/**
 * The tables by which the scalar product of a question with the first half of a code is the sum of one entry a group. All
 * entries have one scale and are moved to begin at 0, so sums are whole numbers and in the order of the products.
 *
 * @param question of length 1, centred as the codes are
 */
export function tablesOf(question: Float64Array): Tables {
  const rotated = Float64Array.from(question)
  rotate(rotated)
  const groups = groupsOf(rotated.length)
  const [low, , , high] = COARSE
  const span = (group: number): number => Math.abs(rotated[2 * group] ?? 0) + Math.abs(rotated[2 * group + 1] ?? 0)
  let widest = 0
  for (let group = 0; group < groups; group++) widest = Math.max(widest, span(group))
  const largest = Math.min(LARGEST, Math.floor(LARGEST_SUM / groups))
  const scale = widest === 0 ? 0 : largest / ((high - low) * widest)
  const entries = new Uint8Array(16 * groups)
  for (let group = 0; group < groups; group++) {
    const [first, second] = [rotated[2 * group] ?? 0, rotated[2 * group + 1] ?? 0]
    const least = low * span(group)
    for (let pair = 0; pair < 16; pair++) {
      const product = first * (COARSE[pair & 3] ?? 0) + second * (COARSE[pair >> 2] ?? 0)
      entries[16 * group + pair] = Math.round((product - least) * scale)
    }
  }
  const fine = new Float32Array(32 * groups)
  for (let at = 0; at < rotated.length; at++) {
    for (let level = 0; level < 16; level++) fine[16 * at + level] = (rotated[at] ?? 0) * (FINE[level] ?? 0)
  }
  return { groups, entries, highest: groups * largest, fine }
}
