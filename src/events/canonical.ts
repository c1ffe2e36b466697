import { createHash } from 'node:crypto'

/**
 * The form of a text that its identity, its index copy and its embedding are made from: NFC, every run of white space
 * (line ends and ideographic blanks included) one blank, trimmed. Lone surrogates become U+FFFD first, so that the
 * bytes that are hashed are the bytes that can be stored.
 */
export function canonicalText(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Block id of a text, `blk_` and the first 24 hex digits of the SHA-256 of its canonical form. */
export function blockId(text: string): string {
  return `blk_${shortHash(canonicalText(text))}`
}

/** First 24 hex digits (12 bytes) of the SHA-256 of a string in UTF-8. */
export function shortHash(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex').slice(0, 24)
}
