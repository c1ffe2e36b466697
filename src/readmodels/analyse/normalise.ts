/**
 * The one text form that index and query share before anything else looks at a text.
 *
 * The result is for looking things up only; it is never stored or shown.
 */

/** Longest text that is analysed, in UTF-16 units of the input. What lies beyond is stored, but not searchable. */
export const MAX_ANALYSED_UNITS = 1_000_000

const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u2032]/g
const DASHES = /[\u2010-\u2015\u2212]/g
/** `1,000,000` is one number; `8080,9090` (four digits after the comma) and `3, 4` are two. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g
const SHARP_S = /ß/g
const PLAIN = /^[\p{ASCII}]*$/u

/**
 * Makes a text well-formed, folds compatibility forms (NFKC: full-width digits, ligatures, composed accents) and the
 * typographic apostrophes and dashes. Letter case is kept: symbols need it.
 */
export function normaliseForms(text: string): string {
  const bounded = text.length > MAX_ANALYSED_UNITS ? text.slice(0, MAX_ANALYSED_UNITS) : text
  const folded = PLAIN.test(bounded)
    ? bounded
    : bounded.toWellFormed().normalize('NFKC').replace(APOSTROPHES, "'").replace(DASHES, '-')
  return folded.replace(THOUSANDS, '')
}

const MARKS = /\p{M}+/gu
const ACCENTED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Inherited}\p{N}]+$/u

/** Case fold of one word, and its accents taken off where the script uses them as accents (`Café` → `cafe`). */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (PLAIN.test(lower)) return lower
  const sharp = lower.replace(SHARP_S, 'ss')
  return ACCENTED.test(sharp) ? sharp.normalize('NFD').replace(MARKS, '').normalize('NFC') : sharp
}
