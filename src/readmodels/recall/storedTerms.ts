/**
 * The tokens of a row as they are stored for re-scoring:
 *
 *     [n × u32 hash, ascending, little-endian][n × u8 count, 255 at most]
 *
 * A token's count is found by binary search, without parsing text and without a dictionary to keep.
 */
import { hash32 } from '../analyse/index.ts'

/** Hashes ascending, and how often each token stands in the row. */
export interface StoredTerms {
  readonly hashes: Uint32Array
  readonly counts: Uint8Array
}

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

export function packTerms(terms: ReadonlyMap<string, number>): Buffer {
  const byHash = new Map<number, number>()
  for (const [token, count] of terms) {
    const hash = hash32(token)
    byHash.set(hash, (byHash.get(hash) ?? 0) + count)
  }
  const hashes = Uint32Array.from(byHash.keys()).sort()
  const packed = Buffer.alloc(hashes.length * 5)
  hashes.forEach((hash, i) => {
    packed.writeUInt32LE(hash, i * 4)
    packed[hashes.length * 4 + i] = Math.min(255, byHash.get(hash) ?? 0)
  })
  return packed
}

export function unpackTerms(packed: Uint8Array): StoredTerms {
  const n = Math.floor(packed.length / 5)
  const counts = packed.subarray(n * 4, n * 5)
  if (LITTLE_ENDIAN && packed.byteOffset % 4 === 0) {
    return { hashes: new Uint32Array(packed.buffer, packed.byteOffset, n), counts }
  }
  const view = new DataView(packed.buffer, packed.byteOffset, n * 4)
  return { hashes: Uint32Array.from({ length: n }, (_, i) => view.getUint32(i * 4, true)), counts }
}

/** How often the token of this hash stands in the row. */
export function countOf(stored: StoredTerms, hash: number): number {
  const { hashes } = stored
  let low = 0
  let high = hashes.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const here = hashes[middle] ?? 0
    if (here === hash) return stored.counts[middle] ?? 0
    if (here < hash) low = middle + 1
    else high = middle - 1
  }
  return 0
}
