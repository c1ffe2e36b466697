import { shortHash } from '../../events/index.ts'
import { stringsIn } from './json-strings.ts'
import { foldedWords, HEAD, HEADS, headOf, isUnspaced, nextPrint, Prints, type Wording } from './wording.ts'

const IN_WORD = /[\p{L}\p{N}\p{M}]/u
const MARK = /[\p{P}\p{S}]/u
const ASCII = 0x80

/** Wordings of one length, by print. */
type ByPrint<W> = Map<number, W[]>

/** A text as it is compared, and where its lines begin. */
interface Folded {
  readonly words: string
  readonly lines: ReadonlySet<number>
}

/** Looks for many wordings in a text at once: what it costs grows with the text, hardly with their number. */
export class Finder<W extends Wording = Wording> {
  /** By head and length. */
  private readonly long = new Map<number, Map<number, ByPrint<W>>>()
  /** Those too short for a head, by length. */
  private readonly short = new Map<number, ByPrint<W>>()
  private readonly isHead = new Uint8Array(HEADS)
  private readonly strict: boolean

  /** @param strict whether what is common has to stand by itself to count; otherwise it has to be whole words only */
  constructor(wordings: Iterable<W>, strict: boolean) {
    this.strict = strict
    for (const one of wordings) {
      const { length, head, print } = one
      if (length >= HEAD) this.isHead[head] = 1
      const byLength = length < HEAD ? this.short : at(this.long, head, () => new Map<number, ByPrint<W>>())
      at(
        at(byLength, length, () => new Map<number, W[]>()),
        print,
        () => [],
      ).push(one)
    }
  }

  /**
   * Those that a text holds, or one of its strings where it is JSON: word for word but for white space, case and the marks
   * they end with. Lazy, and each as often as it is met.
   */
  *in(text: string): Generator<W> {
    for (const one of [text, ...stringsIn(text)]) yield* this.inFolded(fold(one))
  }

  isIn(text: string): boolean {
    return this.in(text).next().done === false
  }

  private *inFolded(folded: Folded): Generator<W> {
    const { words } = folded
    const hasShort = this.short.size > 0
    // Most texts hold none: what is not looked at closely is not printed.
    let prints: Prints | undefined
    let print = 0
    for (let to = 0; to < words.length + HEAD - 1; to++) {
      print = nextPrint(print, words, to)
      const from = to - HEAD + 1
      if (from < 0) continue
      const head = to < words.length ? headOf(print) : -1
      const isLong = head >= 0 && this.isHead[head] === 1
      if ((!hasShort && !isLong) || !isBetween(words, from)) continue
      prints ??= new Prints(words)
      if (hasShort) yield* this.from(folded, prints, from, this.short)
      if (isLong) yield* this.from(folded, prints, from, this.long.get(head) ?? new Map())
    }
  }

  private *from(
    { words, lines }: Folded,
    prints: Prints,
    from: number,
    byLength: ReadonlyMap<number, ByPrint<W>>,
  ): Generator<W> {
    for (const [length, byPrint] of byLength) {
      const to = from + length
      const alike = to > words.length ? undefined : byPrint.get(prints.of(from, to))
      if (alike === undefined || !isBetween(words, to)) continue
      const hash = shortHash(words.slice(from, to))
      for (const one of alike) {
        if (one.hash !== hash) continue
        if (!this.strict || !one.alone || isByItself(words, lines, from, to)) yield one
      }
    }
  }
}

function fold(text: string): Folded {
  const lines = new Set<number>()
  const folded: string[] = []
  let begin = 0
  for (const line of text.split('\n')) {
    const words = foldedWords(line)
    if (words === '') continue
    lines.add(begin)
    folded.push(words)
    begin += words.length + 1
  }
  return { words: folded.join(' '), lines }
}

/** Whether no word goes on over a place. In scripts without blanks, every place is between words. */
function isBetween(words: string, place: number): boolean {
  const [left, right] = [words.charCodeAt(place - 1), words.charCodeAt(place)]
  if (left < ASCII && right < ASCII) return !isAsciiWord(left) || !isAsciiWord(right)
  const before = characterBefore(words, place)
  const after = characterAt(words, place)
  if (/\p{M}/u.test(after)) return false
  return !IN_WORD.test(before) || !IN_WORD.test(after) || isUnspaced(before) || isUnspaced(after)
}

/** Whether a stretch is a whole line, or between marks. */
function isByItself(words: string, lines: ReadonlySet<number>, from: number, to: number): boolean {
  const left = words[from - 1] === ' ' ? from - 1 : from
  const right = words[to] === ' ' ? to + 1 : to
  const begins = lines.has(from) || MARK.test(characterBefore(words, left))
  return begins && (to === words.length || lines.has(right) || MARK.test(characterAt(words, right)))
}

function isAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function characterAt(words: string, place: number): string {
  const point = words.codePointAt(place)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(words: string, place: number): string {
  const low = words.charCodeAt(place - 1)
  return characterAt(words, low >= 0xdc00 && low <= 0xdfff ? place - 2 : place - 1)
}

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
