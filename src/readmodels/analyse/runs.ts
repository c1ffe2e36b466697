/**
 * A text cut into runs of one writing system. Latin words and digits glued to Han (`重跑build-alpha后`) come out as runs
 * of their own, so index and query cut them alike.
 */

/** `word`: letters and digits of scripts that put blanks between words, with the connectors that make compounds. */
export type RunKind = 'word' | 'han' | 'unspaced'

export interface Run {
  readonly kind: RunKind
  readonly text: string
}

const HAN = '[\\p{Script=Han}々〇]'
/** Scripts written without blanks, or (hangul) with endings glued on: looked up by pairs of characters. */
const UNSPACED =
  '[[\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]&&[\\p{L}\\p{M}\\p{N}]]'
const WORD = `[[\\p{L}\\p{N}\\p{M}]--${HAN}--${UNSPACED}]`
/** What may stand between two parts of a compound. Disjoint from WORD, so the scan never backtracks. */
const JOINT = `(?:::|:\\/\\/|->|[._\\/:@&=+#'\\\\\\-])`

// Built from strings: the `v` flag (set subtraction) is younger than the compiler's target.
const RUNS = new RegExp(`(${HAN}+)|(${UNSPACED}+)|${WORD}+(?:${JOINT}${WORD}+)*(?:%|\\+\\+|#)?`, 'gv')

/** Calls `visit` for each run of a normalised text, in order. Linear in the text. */
export function eachRun(text: string, visit: (run: Run) => void): void {
  for (const match of text.matchAll(RUNS)) {
    const kind: RunKind = match[1] !== undefined ? 'han' : match[2] !== undefined ? 'unspaced' : 'word'
    visit({ kind, text: match[0] })
  }
}
