import { createHash } from 'node:crypto'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Characters of a ULID: 26 of 5 bits for its 128 bits. */
const LENGTH = 26

/**
 * The id of an event made from what it says and the name of the row it was read from, instead of from time and chance. The
 * same row says the same in the same namespace, so importing a file, a copy of it, or a later state of it adds only what
 * is new. Neither path nor position count: files are moved, and rows are rewritten.
 */
export function importedEventId(...content: readonly unknown[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(['dsh-hologram import', ...content]), 'utf8')
    .digest('hex')
  let rest = BigInt(`0x${hash.slice(0, 32)}`)
  let ulid = ''
  for (let i = 0; i < LENGTH; i++) {
    ulid = CROCKFORD.charAt(Number(rest & 31n)) + ulid
    rest >>= 5n
  }
  return `evt_${ulid}`
}
