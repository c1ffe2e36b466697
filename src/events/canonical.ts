import { hash } from 'node:crypto'

/** Words of printable ASCII with one blank between them: the usual text, which need not be worked on. */
const CANONICAL_ASCII = /^[!-~]+(?: [!-~]+)*$/

/**
 * The form of a text that its identity, its index copy and its embedding are made from: NFC, every run of white space
 * (line ends and ideographic blanks included) one blank, trimmed. Lone surrogates become U+FFFD first, so that the
 * bytes that are hashed are the bytes that can be stored.
 */
export function canonicalText(text: string): string {
  if (CANONICAL_ASCII.test(text)) return text
  return text.toWellFormed().normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Block id of a text, `blk_` and the first 24 hex digits of the SHA-256 of its canonical form. */
export function blockId(text: string): string {
  return canonicalBlockId(canonicalText(text))
}

/** Block id of a text that is in its canonical form already. */
export function canonicalBlockId(canonical: string): string {
  return `blk_${shortHash(canonical)}`
}

/** First 24 hex digits (12 bytes) of the SHA-256 of a string in UTF-8. */
export function shortHash(value: string): string {
  return hash('sha256', value, 'hex').slice(0, 24)
}
