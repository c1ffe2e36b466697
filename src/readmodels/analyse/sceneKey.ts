/** Scenes: `chan:qq/room_a`, `deploy/staging`. What people write is matched by a key, never by a pattern. */

const MAX_BYTES = 96
/**
 * What becomes `_`. Letters of every script stay, not only Latin and Han ones: scenes in Cyrillic or Greek would all be
 * one otherwise.
 */
const FOREIGN = /[^\p{L}\p{M}\p{N}:.-]+/gu

/** Cuts to `MAX_BYTES` of UTF-8 between two characters. */
function cut(key: string): string {
  if (Buffer.byteLength(key) <= MAX_BYTES) return key
  let bytes = 0
  let kept = ''
  for (const char of key) {
    bytes += Buffer.byteLength(char)
    if (bytes > MAX_BYTES) break
    kept += char
  }
  return kept.replace(/\/+$/u, '')
}

/**
 * The key of a scene: trimmed, folded to one width and case, segments by `/`, runs of anything but letters, digits, `:`,
 * `-` and `.` to one `_`, at most 96 bytes. Empty where nothing is left.
 */
export function sceneKey(scene: string): string {
  const segments = scene
    .slice(0, 4 * MAX_BYTES)
    .normalize('NFKC')
    .toLowerCase()
    .split('/')
    .map(segment => segment.trim().replace(FOREIGN, '_'))
    .filter(segment => segment !== '')
  return cut(segments.join('/'))
}

/** Whether a scene is the one asked for or lies below it: `a/b` is below `a`, `ab` is not. Both are keys. */
export function isInScene(key: string, asked: string): boolean {
  return key === asked || key.startsWith(`${asked}/`)
}
