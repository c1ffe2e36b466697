import { stemmer } from 'stemmer'
import { americanise } from './british.ts'
import { IRREGULAR } from './irregular.ts'

const LETTERS = /^[a-z]{3,40}$/
const MAX_CACHED = 50_000
const cache = new Map<string, string>()

/**
 * The stem of a folded (lower-case, accent-free) word: irregular form → base, British → American, then Porter's rules.
 * Words with anything but a–z in them are names or identifiers and stay as they are.
 */
export function stem(word: string): string {
  if (!LETTERS.test(word)) return word
  const known = cache.get(word)
  if (known !== undefined) return known
  const base = IRREGULAR.get(word) ?? americanise(word)
  const stemmed = stemmer(IRREGULAR.get(base) ?? base)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(word, stemmed)
  return stemmed
}
