/** Ways to make several questions of one by rule, without a model: what a caller without one could do for `alsoAsk`. */
import { ENGLISH_FUNCTION_WORDS } from '../../src/readmodels/analyse/index.ts'

const CLAUSE = /[,;:]\s+|\s+(?:and|or|but|before|after|while|when|because|during|since|besides|that|which|who)\s+/u
const PAIR = /\b(\p{Lu}\p{L}+)(?:'s)? and (\p{Lu}\p{L}+)\b/u

const matter = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []).filter(word => !ENGLISH_FUNCTION_WORDS.has(word.toLowerCase()))
const isName = (word: string): boolean => /^\p{Lu}/u.test(word)

export type Splitter = (question: string) => string[]

export const SPLITTERS: Readonly<Record<string, Splitter>> = {
  /** "What have Ann and Ben painted?" → once about Ann, once about Ben. */
  people: question => {
    const pair = PAIR.exec(question)
    if (pair === null) return []
    return [1, 2].map(i => question.replace(PAIR, pair[i] ?? ''))
  },
  /** At commas and conjunctions; pieces of fewer than two words of matter say too little alone. */
  clauses: question => {
    const pieces = question.split(CLAUSE).filter(piece => matter(piece).length >= 2)
    return pieces.length > 1 ? pieces : []
  },
  /** Every name with every other word of matter, two words a question. */
  pairs: question => {
    const words = matter(question)
    const names = words.filter((word, i) => i > 0 && isName(word))
    const others = words.filter(word => !names.includes(word))
    return names.length === 0 ? [] : others.flatMap(other => names.map(name => `${name} ${other}`))
  },
  /** The question without its names: a speaker rarely says her own. */
  nameless: question => {
    const words = matter(question)
    const rest = words.filter((word, i) => i === 0 || !isName(word))
    return rest.length < words.length && rest.length > 0 ? [rest.join(' ')] : []
  },
}
