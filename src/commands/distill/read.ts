import { readChinese } from './chinese.ts'
import { type Clause, clausesOf, MAX_CLAUSE } from './clauses.ts'
import type { Statement } from './definite.ts'
import type { Distilled } from './distilled.ts'
import { readEnglish } from './english.ts'
import type { Reading } from './reading.ts'

export interface Said extends Distilled {
  /** Known, or what the rules would call it, even where the sentence is what is kept. */
  readonly about: string | undefined
}

/** What takes back a part of what was said before it. */
const RESTRICTS = /^(?:but|except|only|which|though|although|at least|但|只|仅|除了|不过)|\bonly\b|仅|除外/iu
/** Signs of a sentence of its own. Without one, what "and" joins to a statement is a part of it that was not read. */
const VERBAL = /\b(?:is|are|was|were|has|have|does|do|we|i|it|they|you|\p{L}{3,}ed)\b/iu
/** The fact form is what is around one `|` and one `=`. */
const UNFIT = /[|=]/
const LINE_END = '\n'

function told(statement: Statement, reading: Reading, narrowed: boolean): Said[] {
  const { text: sentence, passage } = statement
  const subject = sentence.slice(reading.subject.start, reading.subject.end)
  const value = sentence.slice(reading.value.start, reading.value.end)
  // Two lines that were not one text after all.
  if (subject.includes(LINE_END) || value.includes(LINE_END)) return []
  const { dim } = reading
  const formal = dim !== undefined && !narrowed && !UNFIT.test(subject) && !UNFIT.test(dim)
  const said = {
    text: formal ? `${subject}|${dim}=${value}` : sentence,
    subject,
    ...(formal ? { dim } : {}),
    value,
    sentence,
    passage,
    about: dim,
  }
  return [said]
}

const partOf = ({ shadow }: Statement, clause: Clause | undefined) =>
  clause ? shadow.slice(clause.start, clause.end) : ''

/** The statements that the rules read in a definite sentence. */
export function readStatement(statement: Statement): Said[] {
  const clauses = clausesOf(statement.shadow, statement.from)
  const readings = clauses.map(clause =>
    clause.end - clause.start > MAX_CLAUSE
      ? undefined
      : (readChinese(statement, clause) ?? readEnglish(statement, clause)),
  )
  let unread = false
  return readings.flatMap((reading, at) => {
    if (!reading) {
      unread = true
      return []
    }
    const next = clauses[at + 1]
    const torn = (beside: number) => !readings[beside] && !VERBAL.test(partOf(statement, clauses[beside]))
    if ((clauses[at]?.joined && torn(at - 1)) || (next?.joined && torn(at + 1))) return []
    const restricted =
      next !== undefined &&
      RESTRICTS.test(statement.shadow.slice(clauses[at]?.end ?? next.start, next.end).replace(/^[\s,;]+/u, ''))
    return told(statement, reading, reading.narrowed || unread || restricted)
  })
}
