import { canonicalText } from '../../events/index.ts'
import { stringsIn } from './json-strings.ts'

/** Pieces of one part that are compared. */
const MAX_PIECES = 50_000
/** Sentences that together may be one memory. */
const LONGEST_RUN = 4
const BOUNDARY = /\n+|(?<=[.!?;])\s+|(?<=[。！？；])\s*/gu
/** Where a full stop ends a sentence though no blank follows. */
const TIGHT = /(?<=[.!?。！？;；])\s*/u
const END = /[.!?。！？;；,，、]+$/u
const LIST_MARK = /^(?:[-*+>#•]+|\(?\d{1,4}[.)、])\s*/u
const WRAPPING = /^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu
const QUOTES = /["“”„'‘’`´「」『』«»*_|]+/u
const COLON = /[:：]\s*/gu

/**
 * What a text is made of, in canonical form, as far as a memory may be one of these: the whole, lines, sentences and runs
 * of them, without the marks of lists, quotes and emphasis around them, what follows a colon, and every string where
 * it is JSON. `undefined` when it is made of more than can be compared.
 */
export function piecesOf(text: string): ReadonlySet<string> | undefined {
  const pieces = new Set<string>()
  for (const one of [text, ...stringsIn(text)]) {
    addVariants(pieces, one)
    const units = unitsOf(one)
    for (const [at, unit] of units.entries()) {
      for (let to = at; to < Math.min(units.length, at + LONGEST_RUN); to++) {
        addVariants(pieces, one.slice(unit.from, units[to]?.to))
      }
      for (const sentence of one.slice(unit.from, unit.to).split(TIGHT)) addVariants(pieces, sentence)
      if (pieces.size > MAX_PIECES) return undefined
    }
  }
  pieces.delete('')
  return pieces
}

/** Where the sentences of a text stand, line by line. */
function unitsOf(text: string): Array<{ readonly from: number; readonly to: number }> {
  const units: Array<{ from: number; to: number }> = []
  let from = 0
  for (const { index, 0: gap } of text.matchAll(BOUNDARY)) {
    if (index > from) units.push({ from, to: index })
    from = index + gap.length
  }
  if (from < text.length) units.push({ from, to: text.length })
  return units
}

function addVariants(pieces: Set<string>, text: string): void {
  const canonical = canonicalText(text)
  if (pieces.has(canonical)) return
  const unmarked = canonical.replace(LIST_MARK, '')
  for (const one of [canonical, unmarked]) {
    pieces.add(one)
    pieces.add(one.replace(END, ''))
    pieces.add(one.replace(WRAPPING, ''))
  }
  for (const { index, 0: colon } of unmarked.matchAll(COLON)) {
    const after = unmarked.slice(index + colon.length)
    pieces.add(after)
    pieces.add(after.replace(END, ''))
    pieces.add(after.replace(WRAPPING, ''))
    if (pieces.size > MAX_PIECES) return
  }
  if (!QUOTES.test(canonical)) return
  for (const between of canonical.split(QUOTES)) {
    pieces.add(between.trim())
    pieces.add(between.trim().replace(END, ''))
  }
}
