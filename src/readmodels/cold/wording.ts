import { canonicalText, shortHash } from '../../events/index.ts'

/** What a text is looked for by: enough to know it where it is met again, and not what it says. */
export interface Wording {
  /** Of its words, in UTF-16 units. */
  readonly length: number
  /** A few bits of the beginning, by which most places are passed over. */
  readonly head: number
  readonly print: number
  /** Of its words, which settles it. */
  readonly hash: string
  /** Too short to mean the same inside a sentence: it counts where it stands by itself. */
  readonly alone: boolean
}

/** Units of the beginning that `head` is made of. No shorter wording has one. */
export const HEAD = 4
const HEAD_BITS = 12
export const HEADS = 1 << HEAD_BITS
/** A wording of less weight stands by itself or is a common word. A character that is a word of its own counts double. */
const LEAST_WEIGHT = 8
const END = /[\s.!?。！？;；,，、]+$/u
const FACTOR = 0x9e3779b1
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The form in which texts are compared: canonical, and without regard to case. */
export function foldedWords(text: string): string {
  return canonicalText(text).toLowerCase()
}

/** How to know a text again, without the marks it ends with; `undefined` where it has no words. */
export function wordingOf(text: string): (Wording & { readonly words: string }) | undefined {
  const words = foldedWords(text).replace(END, '')
  if (words === '') return undefined
  const { length } = words
  const prints = new Prints(words)
  return {
    words,
    length,
    head: length < HEAD ? 0 : headOf(prints.of(0, HEAD)),
    print: prints.of(0, length),
    hash: shortHash(words),
    alone: isCommon(words),
  }
}

function isCommon(words: string): boolean {
  if (/\p{N}/u.test(words) && words.length >= HEAD) return false
  let weight = 0
  for (const character of words) weight += isUnspaced(character) ? 2 : 1
  return weight < LEAST_WEIGHT
}

/** Whether a character is of a script that is written without blanks between words. */
export function isUnspaced(character: string): boolean {
  return UNSPACED.test(character)
}

export function headOf(print: number): number {
  return print >>> (32 - HEAD_BITS)
}

const FACTOR_OF_FIRST = Math.imul(Math.imul(FACTOR, FACTOR), FACTOR)

/** The print of the `HEAD` units that end at a place, from that of those that end before it. The first are of fewer. */
export function nextPrint(print: number, words: string, place: number): number {
  const gone = place < HEAD ? 0 : words.charCodeAt(place - HEAD)
  return (Math.imul(print - Math.imul(gone, FACTOR_OF_FIRST), FACTOR) + words.charCodeAt(place)) >>> 0
}

let powers = new Uint32Array([1])

/** Prints of every stretch of a text, each in constant time. */
export class Prints {
  private readonly sums: Uint32Array

  constructor(words: string) {
    const { length } = words
    const sums = new Uint32Array(length + 1)
    for (let at = 0; at < length; at++) sums[at + 1] = Math.imul(sums[at] as number, FACTOR) + words.charCodeAt(at)
    this.sums = sums
    if (powers.length <= length) powers = morePowers(powers, 2 * (length + 1))
  }

  of(from: number, to: number): number {
    return ((this.sums[to] as number) - Math.imul(this.sums[from] as number, powers[to - from] as number)) >>> 0
  }
}

function morePowers(known: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(length)
  more.set(known)
  for (let at = known.length; at < length; at++) more[at] = Math.imul(more[at - 1] as number, FACTOR)
  return more
}
