/**
 * 32-bit hash of a token: FNV-1a over its UTF-16 units, with murmur3's finaliser so that near words lie far apart.
 *
 * Stored tokens are kept as hashes: at 300 tokens a text, a false meeting of one query token has odds of 1 in 14 million.
 */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
