import { groupsOf } from '../code/encode.ts'

/** Vectors whose codes lie interleaved: what one step of the scan takes. */
export const BLOCK = 32
/** Bytes of a page. */
export const PAGE = 65_536
/** Most vectors in a page. */
export const MOST_IN_PAGE = 4_096

/** Bytes of a block: for each group 16 bytes, and in each the pairs of two vectors. */
export function blockBytes(dimension: number): number {
  return groupsOf(dimension) * 16
}

/** Vectors that a page has room for. */
export function roomOf(dimension: number): number {
  return Math.min(MOST_IN_PAGE, Math.floor(PAGE / blockBytes(dimension)) * BLOCK)
}

/**
 * Writes the first half of the code of a vector at a place of a page. Within a block, vector `v` has of byte `2·(v mod 8) + (⌊v/8⌋ mod 2)`
 * of each group the low half (`v` < 16) or the high one: the scan then writes its sums in the order of the vectors.
 */
export function writeCode(page: Uint8Array, place: number, code: Uint8Array): void {
  const groups = 2 * code.length
  const at = place % BLOCK
  const start = Math.floor(place / BLOCK) * groups * 16 + 2 * (at & 7) + ((at >> 3) & 1)
  const shift = at < 16 ? 0 : 4
  const keep = at < 16 ? 0xf0 : 0x0f
  for (let group = 0; group < groups; group++) {
    const pair = ((code[group >> 1] ?? 0) >> (4 * (group & 1))) & 15
    const byte = start + 16 * group
    page[byte] = ((page[byte] ?? 0) & keep) | (pair << shift)
  }
}

/**
 * The scalar product of a question with a whole code: the first half is at a place of a page, the second one by itself.
 *
 * @param fine see `Tables`
 * @param seconds second halves of the page's codes, one after another
 */
export function product(fine: Float32Array, page: Uint8Array, place: number, seconds: Uint8Array): number {
  const half = fine.length / 64
  const at = place % BLOCK
  let first = Math.floor(place / BLOCK) * half * 32 + 2 * (at & 7) + ((at >> 3) & 1)
  const shift = at < 16 ? 0 : 4
  let entry = 0
  let sum = 0
  for (let byte = place * half; byte < (place + 1) * half; byte++) {
    const low = ((page[first] ?? 0) >> shift) & 15
    const high = ((page[first + 16] ?? 0) >> shift) & 15
    const second = seconds[byte] ?? 0
    sum += fine[entry + 4 * (low & 3) + (second & 3)] ?? 0
    sum += fine[entry + 16 + 4 * (low >> 2) + ((second >> 2) & 3)] ?? 0
    sum += fine[entry + 32 + 4 * (high & 3) + ((second >> 4) & 3)] ?? 0
    sum += fine[entry + 48 + 4 * (high >> 2) + (second >> 6)] ?? 0
    first += 32
    entry += 64
  }
  return sum
}

/**
 * What the scan computes: for each vector of the first `blocks` blocks, the sum over all groups of the entry that its pair
 * of levels has in the group's table. `module.ts` does the same, 32 vectors at a time.
 */
export function scanPage(page: Uint8Array, entries: Uint8Array, blocks: number, sums: Uint16Array): void {
  const groups = entries.length / 16
  for (let block = 0; block < blocks; block++) {
    for (let at = 0; at < BLOCK; at++) {
      const start = block * groups * 16 + 2 * (at & 7) + ((at >> 3) & 1)
      const shift = at < 16 ? 0 : 4
      let sum = 0
      for (let group = 0; group < groups; group++) {
        sum += entries[16 * group + (((page[start + 16 * group] ?? 0) >> shift) & 15)] ?? 0
      }
      sums[block * BLOCK + at] = sum
    }
  }
}
