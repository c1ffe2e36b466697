import { MAX_SENTENCE } from './distilled.ts'
import { isQuoteSign, shadowOf } from './shadow.ts'

/** A sentence of prose: not code, not a quotation, not a log line. */
export interface Sentence {
  /** Verbatim. */
  readonly text: string
  /** As long as `text`; what the rules read. */
  readonly shadow: string
  readonly passage: number
}

const FENCE = /^\s{0,3}(?:```|~~~)/
const BULLET = /^\s*(?:[-*•·]|\d{1,3}[.)、])\s+/
/** Quotations, headings, tables, added and removed lines, prompts, comments, tags, frames of a stack, tagged or stamped lines. */
const NOT_PROSE =
  /^\s*(?:[>|+#$%<{}[\]@]|\/\/|\/\*|-{2,}|={2,}|at\s+\S+\s*\(|(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|(?:trace|debug|info|warn|warning|error|fatal|notice)\b[\s:]|(?:user|root)@)/i
const STAMP = /\d\d:\d\d:\d\d/
const INDENTED = /^(?: {4}|\t)/
/** Operators, braces, flags and calls. A token with `://` is judged apart: addresses are full of signs. */
const CODE = /[{}\\]|=>|[=!<>]=|&&|\|\||\s\|\s|;\s*$|\s=\s|\(\)|^\w+[=(]|^[\w.-]+:$|\s--?[a-z]/i
const ASSIGNED = /^[\w.-]+(?:=|\[|":)/
const ENDS = /[.!?。！？；;:：]["'”’」』`)）]*\s*$/u
const HAN = /\p{Script=Han}/u
const CONTINUES = /^\s*[a-z]/
const TRAILING_COMMA = /[,，、]\s*$/u
const SHORT_FORM = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|no|approx|st|[A-Z])$/i

function isProse(line: string): boolean {
  if (NOT_PROSE.test(line) || STAMP.test(line)) return false
  if (INDENTED.test(line) && !BULLET.test(line)) return false
  const tokens = line.split(/\s+/u).filter(token => !token.includes('://'))
  return !CODE.test(` ${tokens.join(' ')}`.slice(1)) && !tokens.some(token => ASSIGNED.test(token))
}

/** Lines that belong together: a line that goes on where the one before it did not end is one text with it. */
function* paragraphs(text: string): Generator<string> {
  let fenced = false
  let open = ''
  for (const line of text.split('\n')) {
    const fence = FENCE.test(line)
    if (fence) fenced = !fenced
    // The longest of lines is a blob; nothing in it is looked at.
    const prose = !fence && !fenced && line.length <= 20_000 && line.trim() !== ''
    if (open !== '' && prose && open.length < 20_000 && !ENDS.test(open.slice(-80)) && !BULLET.test(line)) {
      if (
        (CONTINUES.test(line.slice(0, 80)) && !HAN.test(open.slice(-80) + line)) ||
        TRAILING_COMMA.test(open.slice(-80))
      ) {
        open += `\n${line}`
        continue
      }
    }
    if (open !== '') yield open
    open = prose ? line : ''
  }
  if (open !== '') yield open
}

/** Where a sentence that begins at `from` ends; the sign that ends it is its last. */
function endOf(text: string, shadow: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const sign = shadow[at]
    if (sign === '。' || sign === '!' || sign === '?') {
      const next = shadow[at + 1]
      if (sign !== '。' && next !== undefined && /[\w/]/.test(next) && text.charCodeAt(at) < 0x80) continue
      return at + 1
    }
    if (sign !== '.') continue
    const next = shadow[at + 1]
    if (next !== undefined && !/\s/u.test(next) && !isQuoteSign(next)) continue
    if (!SHORT_FORM.test(shadow.slice(Math.max(from, at - 8), at))) return at + 1
  }
  return text.length
}

/** The sentences of a passage's prose. Linear in the text; it is to be in NFC. */
export function* sentencesOf(text: string, passage: number): Generator<Sentence> {
  for (const paragraph of paragraphs(text)) {
    if (!paragraph.split('\n').every(isProse)) continue
    const from = BULLET.exec(paragraph)?.[0].length ?? 0
    const shadow = shadowOf(paragraph)
    for (let start = from; start < paragraph.length; ) {
      const end = endOf(paragraph, shadow, start)
      const blank = paragraph.slice(start, end).search(/\S/u)
      const first = blank < 0 ? end : start + blank
      const said = paragraph.slice(first, end).trimEnd()
      if (said.length > 3 && said.length <= MAX_SENTENCE) {
        yield { text: said, shadow: shadow.slice(first, first + said.length), passage }
      }
      start = end
    }
  }
}
