import { Next } from './next.ts'

/** A value as it stands in a text: without its quotes, and without the punctuation of the sentence around it. */
export interface Value {
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
  '”': '”',
}

/**
 * Ends a value without quotes: white space, a quote that closes something, a tag, an escape, and whatever belongs to
 * Chinese and Japanese text (full-width letters and digits do not: they may be part of a value).
 */
const STOP =
  /\s|["'`](?![A-Za-z0-9])|<(?=[/!A-Za-z])|\\(?=[nrt"'`\\])|[\u2018-\u201f\u2026\u3000-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/g

/** Behind these, the next member of a list, a query or a connection string begins, or the line ends. */
const CUT = /[,;&](?=\s|$|[A-Za-z][\w .-]{0,40}[=:])|[)\]}]+[,;:.]*$/

/** Reads values from one text. Asked from rising positions, it reads the text a constant number of times. */
export class Values {
  private readonly text: string
  private readonly stop: Next
  private readonly lineEnd: Next
  private readonly closers = new Map<string, Next>()

  constructor(text: string) {
    this.text = text
    this.stop = new Next(text, STOP)
    this.lineEnd = new Next(text, /[\n\r]/g)
  }

  /** The value that begins at `from`, which ends at `&` in an URL's query. Undefined when nothing begins there. */
  at(from: number, inQuery = false): Value | undefined {
    return this.quoted(from, inQuery) ?? this.bare(from, inQuery)
  }

  /** Whether the line, or the member of a list, ends behind `end`. */
  isLast(end: number): boolean {
    return /^(?:\\{0,3}["'`”’」])?(?:[ \t]*(?:[\n\r,;&)\]}|，。；、）！]|#|\/\/|\\[nr]|$)|[.!?](?:\s|$))/.test(
      this.text.slice(end, end + 40),
    )
  }

  private quoted(from: number, inQuery: boolean): Value | undefined {
    let at = from
    while (at < from + 3 && this.text[at] === '\\') at += 1
    const opener = this.text[at]
    const closer = opener === undefined ? undefined : CLOSERS[opener]
    if (closer === undefined) return undefined
    const start = at + 1
    const end = this.closing(closer, start, at - from)
    if (end === undefined) return this.bare(start, inQuery)
    return end > start ? { start, end, quoted: true } : undefined
  }

  /** Where a string ends that was opened behind `slashes` backslashes: on the same line. */
  private closing(closer: string, start: number, slashes: number): number | undefined {
    let next = this.closers.get(closer)
    if (next === undefined) {
      next = new Next(this.text, new RegExp(closer, 'g'))
      this.closers.set(closer, next)
    }
    const lineEnd = this.lineEnd.after(start)
    for (let at = next.after(start); at < lineEnd; at = next.after(at + 1)) {
      let before = 0
      while (before < 8 && this.text[at - 1 - before] === '\\') before += 1
      if (before <= slashes || before % 2 === 0) return at - Math.min(before, slashes)
    }
    return undefined
  }

  private bare(from: number, inQuery: boolean): Value | undefined {
    const stop = this.stop.after(from)
    // A cut is only looked for near the beginning; a longer run is one value.
    const run = this.text.slice(from, Math.min(stop, from + 1_024))
    const cut = run.search(CUT)
    const query = inQuery ? run.search(/[&#]/) : -1
    const ends = [cut, query].filter(end => end >= 0)
    const length = ends.length > 0 ? Math.min(...ends) : stop - from
    const value = this.text.slice(from, Math.min(from + length, from + 1_024))
    const trimmed = length > 1_024 ? length : value.replace(/[.,;:]+$/, '').length
    return trimmed > 0 ? { start: from, end: from + trimmed, quoted: false } : undefined
  }
}
