import { foldWord, normaliseForms } from './normalise.ts'
import { simplify } from './variants.ts'

/** A fact in the form `<subject>|<dim>=<value>`. */
export interface ParsedFact {
  /** Subject and dimension folded and joined: two facts with one key speak of the same thing. */
  readonly key: string
  readonly subject: string
  readonly dimension: string
  readonly value: string
}

const FACT = /^\s*([^|=\n]{1,200})\|([^|=\n]{1,100})=([^\n]+)\s*$/u
const HAN = /\p{Script=Han}/gu
const BLANKS = /\s+/gu

function folded(text: string): string {
  return foldWord(text.replace(BLANKS, ' ').trim()).replace(HAN, simplify)
}

/** Reads a one-line fact; `undefined` for prose. */
export function parseFact(text: string): ParsedFact | undefined {
  if (text.length > 4_000) return undefined
  const match = FACT.exec(normaliseForms(text))
  if (!match) return undefined
  const [subject = '', dimension = '', value = ''] = match.slice(1).map(part => part.trim())
  if (subject === '' || dimension === '' || value === '') return undefined
  return { key: `${folded(subject)}|${folded(dimension)}`, subject, dimension, value }
}
