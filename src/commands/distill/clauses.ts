/** A part of a statement that could stand for itself; offsets are into the sentence. */
export interface Clause {
  readonly start: number
  readonly end: number
  /** A bare "and" stands before it: what it joins may be two values as well as two statements. */
  readonly joined: boolean
}

const MAX_CLAUSES = 8
/** Nobody states a fact in a longer breath; it also keeps what a pattern can cost small. In UTF-16 units. */
export const MAX_CLAUSE = 140
/** Commas inside a number or before a year do not part; neither does the "and" inside a name without spaces. */
const PARTS =
  /(?<!\d),(?=\S)|(?<=\d),(?=[^\d\s])|(?<!\b[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?),\s+|,\s+(?!\d{4}\b)|;\s*|\s+(?:and|but|so|because|since)\s+|(?<=[\p{Script=Han}\d])(?:并且|而且|但是|但|所以|因为)/gu

const AND = /^\s+and\s+$/

export function clausesOf(shadow: string, from: number): Clause[] {
  const clauses: Clause[] = []
  let start = from
  let joined = false
  for (const { index, 0: sign } of shadow.slice(from).matchAll(PARTS)) {
    const at = from + index
    if (at > start) clauses.push({ start, end: at, joined })
    joined = AND.test(sign)
    start = at + sign.length
    if (clauses.length >= MAX_CLAUSES) return clauses
  }
  const end = shadow.replace(/[\s.!。]+$/u, '').length
  if (end > start) clauses.push({ start, end, joined })
  return clauses
}
