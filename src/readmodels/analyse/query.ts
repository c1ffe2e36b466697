import { hanCharacters, hanTokens, unspacedTokens } from './characters.ts'
import { bareWord, type Emit, type TokenKind, wordTokens } from './compounds.ts'
import { asksWhen, pointsBack } from './cues.ts'
import type { NamedDate } from './dates.ts'
import { CHINESE_CUT_CHARS, CHINESE_FUNCTION_WORDS, ENGLISH_FUNCTION_WORDS } from './functionWords.ts'
import { normaliseForms } from './normalise.ts'
import { eachRun } from './runs.ts'
import { sentencesOf } from './sentences.ts'
import { QUERY_SETTINGS } from './settings.ts'
import { type SymbolKind, symbolsOf } from './symbols.ts'
import { type AskedTime, timesOf } from './times.ts'
import { simplify } from './variants.ts'

/** One token to look up. */
export interface QueryTerm {
  readonly token: string
  /** The piece of the question it stands for, as normalised. */
  readonly surface: string
  readonly kind: TokenKind
  /** `(1 + ln n)` for n uses, times the factors below. */
  readonly weight: number
}

/** A symbol of the question and what it may do. */
export interface QuerySymbol {
  readonly text: string
  readonly kind: SymbolKind
  /** A block that holds it as a whole token comes before all others. */
  readonly pins: boolean
  /** When no block holds any such symbol, the question is refused. */
  readonly refuses: boolean
}

export interface AnalysedQuery {
  /** Nothing in it can be looked up: blank, or nothing but punctuation. */
  readonly empty: boolean
  readonly terms: readonly QueryTerm[]
  readonly symbols: readonly QuerySymbol[]
  readonly dates: readonly NamedDate[]
  /** Dates and times as seen from now. */
  readonly times: readonly AskedTime[]
  /** With `times`: what it asks beside them, such as a name; empty when a time is all it asks about. */
  readonly beside: string
  readonly asksWhen: boolean
  readonly pointsBack: boolean
  /** The question with case and width folded and Han simplified, for finding names in it. */
  readonly folded: string
}

/** Of a longer question only this much of its beginning and its end is read, in UTF-16 units. */
const HEAD_UNITS = 4_000
const TAIL_UNITS = 28_000
/** Most tokens of one question that are looked up. */
export const MAX_QUERY_TERMS = 256
const MAX_QUERY_SYMBOLS = 64

/** A passage longer than this is not a look-up of the numbers it happens to hold. */
const LOOKUP_SENTENCES = 2

/** `v5`, `-5`, `5%`: one digit is too little to say that memory knows nothing. */
const HARDLY_A_NUMBER = /^[^\p{L}\d]*[vV]?\d%?$/u

const CHINESE_FUNCTION = new RegExp(CHINESE_FUNCTION_WORDS.join('|'), 'gu')
const HAN = /\p{Script=Han}/gu
const BLANK = ' '

/** Emits a Han run of a query: cut at function words and cut characters, then as the index does. */
function hanQueryTokens(run: string, emit: Emit): void {
  const text = hanCharacters(run).join('').replace(CHINESE_FUNCTION, BLANK)
  let piece: string[] = []
  for (const char of [...text, BLANK]) {
    if (char !== BLANK && !CHINESE_CUT_CHARS.has(char)) {
      piece.push(char)
      continue
    }
    hanTokens(piece, emit)
    piece = []
  }
}

function tokensOf(normalised: string, cutFunctionWords: boolean, emit: Emit): void {
  eachRun(normalised, run => {
    if (run.kind === 'unspaced') return unspacedTokens(run.text, emit)
    if (run.kind === 'han')
      return cutFunctionWords ? hanQueryTokens(run.text, emit) : hanTokens(hanCharacters(run.text), emit)
    let matter = false
    const percentage = run.text.endsWith('%')
    return wordTokens(run.text, (token, kind, surface) => {
      // Who asks for 100% does not ask for 100; the index copy holds both.
      if (percentage && kind === 'word') return
      const grammar = cutFunctionWords && kind === 'word' && ENGLISH_FUNCTION_WORDS.has(bareWord(surface))
      if (kind === 'word' && !grammar) matter = true
      // A compound of function words alone (and/or) says as little as they do.
      if (!grammar && (kind !== 'compound' || matter || percentage || !cutFunctionWords)) emit(token, kind, surface)
    })
  })
}

function factor(kind: TokenKind): number {
  if (kind === 'compound') return QUERY_SETTINGS.compound
  if (kind === 'single') return QUERY_SETTINGS.single
  return 1
}

interface Counted {
  readonly surface: string
  readonly kind: TokenKind
  uses: number
  late: boolean
}

function countTokens(sentences: readonly string[], cutFunctionWords: boolean): Map<string, Counted> {
  const counted = new Map<string, Counted>()
  const { lastSentences } = QUERY_SETTINGS
  const lateFrom = sentences.length > lastSentences ? sentences.length - lastSentences : Number.POSITIVE_INFINITY
  sentences.forEach((sentence, i) => {
    tokensOf(sentence, cutFunctionWords, (token, kind, surface) => {
      const known = counted.get(token)
      if (known === undefined) counted.set(token, { surface, kind, uses: 1, late: i >= lateFrom })
      else {
        known.uses++
        known.late ||= i >= lateFrom
      }
    })
  })
  return counted
}

function termsOf(sentences: readonly string[]): QueryTerm[] {
  let counted = countTokens(sentences, true)
  // "Who are you?" is all function words: then they are all there is to look for.
  if (counted.size === 0) counted = countTokens(sentences, false)
  const terms = Array.from(counted, ([token, { surface, kind, uses, late }]) => ({
    token,
    surface,
    kind,
    weight: (1 + Math.log(uses)) * (late ? QUERY_SETTINGS.lastWeight : 1) * factor(kind),
  }))
  if (terms.length <= MAX_QUERY_TERMS) return terms
  const heaviest = terms.map((term, at) => ({ term, at })).sort((a, b) => b.term.weight - a.term.weight || a.at - b.at)
  return heaviest
    .slice(0, MAX_QUERY_TERMS)
    .sort((a, b) => a.at - b.at)
    .map(({ term }) => term)
}

/** Numbers first, then the others, each in order of first sight. Only whole tokens are asked for, not their parts. */
function querySymbolsOf(
  normalised: string,
  short: boolean,
  dates: readonly { start: number; end: number }[],
): QuerySymbol[] {
  const lookup = sentencesOf(normalised).length <= LOOKUP_SENTENCES
  const symbols = symbolsOf(normalised)
    .filter(symbol => symbol.level === 2)
    .flatMap((symbol): QuerySymbol[] => {
      const date = dates.find(span => symbol.at >= span.start && symbol.at < span.end)
      const dashed = date !== undefined && symbol.text.length >= date.end - date.start
      // "18 August 2023" asks for a time, not for blocks that hold 18.
      if (date !== undefined && !dashed) return []
      const plain = symbol.kind === 'compound'
      return [
        {
          text: symbol.text,
          kind: symbol.kind,
          pins: !plain || short,
          refuses: !plain && !dashed && lookup && !HARDLY_A_NUMBER.test(symbol.text),
        },
      ]
    })
  const numbers = symbols.filter(symbol => symbol.kind === 'number')
  const others = symbols.filter(symbol => symbol.kind !== 'number')
  return [...numbers, ...others].slice(0, MAX_QUERY_SYMBOLS)
}

/** Analyses a question. Total: any string gives an answer; a long one is read at its beginning and its end. */
export function analyseQuery(text: string): AnalysedQuery {
  const read =
    text.length <= HEAD_UNITS + TAIL_UNITS ? text : `${text.slice(0, HEAD_UNITS)}\n${text.slice(-TAIL_UNITS)}`
  const normalised = normaliseForms(read)
  const terms = termsOf(sentencesOf(normalised))
  const simplified = normalised.replace(HAN, simplify)
  const times = timesOf(simplified)
  const short = terms.filter(term => term.kind === 'word' || term.kind === 'pair').length <= 3
  return {
    empty: terms.length === 0,
    terms,
    symbols: querySymbolsOf(normalised, short, times.spans),
    dates: times.dates,
    times: times.asked,
    beside: times.rest,
    asksWhen: asksWhen(simplified),
    pointsBack: pointsBack(simplified),
    folded: simplified.toLowerCase(),
  }
}
