import type { Clause } from './clauses.ts'
import { HIDDEN } from './shadow.ts'
import type { Span } from './value.ts'

/** What a rule read in a clause; offsets are into the sentence. */
export interface Reading {
  readonly subject: Span
  readonly value: Span
  readonly dim?: string
  /** Something narrows it that subject, dimension and value do not say ("… in staging"). */
  readonly narrowed: boolean
}

/** A group's place in the sentence. The pattern was run on the clause, with the flag `d`. */
export function groupSpan(match: RegExpExecArray, name: string, clause: Clause): Span | undefined {
  const at = match.indices?.groups?.[name]
  return at && { start: clause.start + at[0], end: clause.start + at[1] }
}

/** A subject that is one quoted or code span is what stands inside of it. */
export function unquoted(shadow: string, { start, end }: Span): Span {
  const inner = shadow.slice(start, end)
  const whole = inner.length > 2 && [...inner].every(sign => sign === HIDDEN)
  return whole ? { start: start + 1, end: end - 1 } : { start, end }
}
