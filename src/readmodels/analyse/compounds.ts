import { stem } from './english.ts'
import { hash32 } from './hash.ts'
import { foldWord } from './normalise.ts'

/** How a token came to be: it decides its weight in a query and whether it counts towards a text's length. */
export type TokenKind = 'word' | 'compound' | 'pair' | 'single'

/** Receives one token: what is looked up, how it came to be, and the piece of the (normalised) text it stands for. */
export type Emit = (token: string, kind: TokenKind, surface: string) => void

const MAX_TOKEN_UNITS = 48
const MAX_PARTS = 12

const NUMERIC = /^\p{Nd}+(?:[.:]\p{Nd}+)*$/u
const HOST_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):(\d{1,5})$/
const VERSION = /^v(\p{Nd}+(?:\.\p{Nd}+)+)$/iu
/** Dotted digits stay together; everything else is cut at each joint but the apostrophe. */
const PARTS = /\p{Nd}+(?:\.\p{Nd}+)+(?![\p{L}\p{M}])|[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu
const TAIL = /(?:%|\+\+|#)$/
const TAIL_NAMES: Readonly<Record<string, string>> = { '%': 'pct', '++': 'plusplus', '#': 'sharp' }

/** Contractions and possessives: what stands before the apostrophe is the word. */
const ENDINGS = new Set(['s', 't', 'll', 've', 're', 'd', 'm'])
const NEGATED: Readonly<Record<string, string>> = { "can't": 'can', "won't": 'will', "shan't": 'shall' }

/** Very long words (base64, hashes) keep a prefix and a hash, so that a token has a bounded size. */
function bounded(token: string): string {
  return token.length <= MAX_TOKEN_UNITS
    ? token
    : `${token.slice(0, 32).replace(/[\ud800-\udbff]$/, '')}_${hash32(token).toString(36)}`
}

/** A word of letters and digits with inner apostrophes, folded: `Caroline's` → `caroline`, `don't` → `do`. */
export function bareWord(part: string): string {
  const folded = foldWord(part)
  const at = folded.indexOf("'")
  if (at < 0) return folded
  const negated = NEGATED[folded]
  if (negated !== undefined) return negated
  if (folded.endsWith("n't")) return folded.slice(0, -3).replaceAll("'", '')
  const last = folded.lastIndexOf("'")
  return (ENDINGS.has(folded.slice(last + 1)) ? folded.slice(0, last) : folded).replaceAll("'", '')
}

function joined(text: string): string {
  return bounded(foldWord(text).replace(SEPARATORS, '_'))
}

/**
 * Tokens of one word run. A plain word is its stem. A compound (`alpha-compose`, `GB/s`, `node:sqlite`) is each part
 * and the whole joined by `_`, so `GB/s` never meets `GBs`. Digits joined by dots or colons (`10.0.0.5`, `1.2.3`) are
 * one token only: their parts mean nothing alone. `100%`, `C++` and `C#` are the whole with its tail spelled out.
 */
export function wordTokens(run: string, emit: Emit): void {
  const tail = TAIL.exec(run)?.[0]
  const text = tail === undefined ? run : run.slice(0, -tail.length)
  if (tail !== undefined) emit(`${joined(text)}_${TAIL_NAMES[tail] ?? ''}`, 'compound', run)
  const address = HOST_PORT.exec(text)
  if (address) {
    emit(joined(address[1] ?? ''), 'word', address[1] ?? '')
    emit(bounded(address[2] ?? ''), 'word', address[2] ?? '')
    emit(joined(text), 'compound', text)
    return
  }
  if (NUMERIC.test(text)) {
    emit(joined(text), 'word', text)
    return
  }
  const version = VERSION.exec(text)
  if (version) {
    emit(joined(version[1] ?? ''), 'word', text)
    emit(joined(text), 'compound', text)
    return
  }
  const parts = text.match(PARTS) ?? []
  const stems: string[] = []
  for (const part of parts) {
    const stemmed = NUMERIC.test(part) ? joined(part) : bounded(stem(bareWord(part)))
    if (stemmed === '') continue
    stems.push(stemmed)
    emit(stemmed, 'word', part)
  }
  if (stems.length > 1 && stems.length <= MAX_PARTS) emit(bounded(stems.join('_')), 'compound', text)
}
