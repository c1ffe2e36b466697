import { normaliseForms, simplify } from '../analyse/index.ts'

const HAN = /\p{Script=Han}/gu
const EDGE = /[\p{L}\p{N}]/u
const ONLY_HAN = /^\p{Script=Han}+$/u

function folded(name: string): string {
  return normaliseForms(name).replace(HAN, simplify).toLowerCase().trim()
}

function mentions(question: string, name: string): boolean {
  if (name.length < 2) return false
  // Han names stand among other characters without blanks; others must stand as whole words.
  if (ONLY_HAN.test(name)) return question.includes(name)
  for (let at = question.indexOf(name); at >= 0; at = question.indexOf(name, at + 1)) {
    const end = at + name.length
    const [left, right] = [question[at - 1] ?? ' ', question[end] ?? ' ']
    const open = (char: string): boolean => !EDGE.test(char) || ONLY_HAN.test(char)
    if (open(left) && open(right)) return true
  }
  return false
}

/** The first name; of a Han name of three characters the last two (王小明 → 小明). Empty where too short to tell. */
function shortName(name: string): string {
  if (ONLY_HAN.test(name)) return name.length === 3 ? name.slice(1) : ''
  const first = name.split(/\s+/u)[0] ?? ''
  return first.length >= 3 ? first : ''
}

/** Whether a name, folded as `AnalysedQuery.beside`, is a speaker's full or first name. */
export function isNamed(name: string, speaker: string): boolean {
  const full = folded(speaker)
  return name === full || name === shortName(full)
}

/**
 * The one speaker a question names, by full or first name; `undefined` when it names none or several.
 *
 * @param question folded as `AnalysedQuery.folded`
 */
export function namedSpeaker(question: string, speakers: Iterable<string>): string | undefined {
  const named = new Set<string>()
  for (const speaker of speakers) {
    const name = folded(speaker)
    if (mentions(question, name) || mentions(question, shortName(name))) named.add(speaker)
  }
  const [only] = named
  return named.size === 1 ? only : undefined
}
