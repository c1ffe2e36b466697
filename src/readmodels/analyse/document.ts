import { hanCharacters, hanTokens, unspacedTokens } from './characters.ts'
import { type Emit, wordTokens } from './compounds.ts'
import { isQuestion, saysWhen } from './cues.ts'
import { normaliseForms } from './normalise.ts'
import { eachRun } from './runs.ts'
import { sentencesOf } from './sentences.ts'
import { symbolsOf, type TextSymbol } from './symbols.ts'
import { simplify } from './variants.ts'

/** A text as the index sees it. Depends on the text alone. */
export interface AnalysedText {
  /** Token → how often it stands in the text. */
  readonly terms: ReadonlyMap<string, number>
  /** Words and character pairs, each as often as it stands; compounds and single Han characters do not count. */
  readonly length: number
  readonly symbols: readonly TextSymbol[]
  /** Share of the sentences that ask, 0 to 1. */
  readonly questionShare: number
  /** The last sentence asks. */
  readonly endsInQuestion: boolean
  /** Says a day, a date or a time of day. */
  readonly saysWhen: boolean
}

const HAN = /\p{Script=Han}/gu

/** Calls `emit` for every token of a normalised text, in the one way that index and query share. */
export function eachToken(normalised: string, emit: Emit): void {
  eachRun(normalised, run => {
    if (run.kind === 'word') wordTokens(run.text, emit)
    else if (run.kind === 'han') hanTokens(hanCharacters(run.text), emit)
    else unspacedTokens(run.text, emit)
  })
}

/** Analyses a stored text. Total: any string gives an answer, in time linear in its length. */
export function analyseText(text: string): AnalysedText {
  const normalised = normaliseForms(text)
  const terms = new Map<string, number>()
  let length = 0
  eachToken(normalised, (token, kind) => {
    terms.set(token, (terms.get(token) ?? 0) + 1)
    if (kind === 'word' || kind === 'pair') length++
  })
  const simplified = normalised.replace(HAN, simplify)
  const sentences = sentencesOf(simplified)
  const asking = sentences.map(isQuestion)
  return {
    terms,
    length,
    symbols: symbolsOf(normalised),
    questionShare: sentences.length === 0 ? 0 : asking.filter(Boolean).length / sentences.length,
    endsInQuestion: asking.at(-1) ?? false,
    saysWhen: saysWhen(simplified),
  }
}
