import { z } from 'zod'
import { canonicalText } from '../../events/index.ts'
import type { Statement } from './definite.ts'
import { type Distilled, MAX_SENTENCE, MAX_SUBJECT, MAX_VALUE, type Passage } from './distilled.ts'
import { statementsOf } from './passages.ts'
import { readStatement } from './read.ts'
import { HIDDEN } from './shadow.ts'
import { isSubject } from './subject.ts'
import { wholeTokensAt } from './tokens.ts'

/** What somebody, a model for one, takes for a fact of these passages. */
export const proposalSchema = z.strictObject({
  subject: z.string().min(1).max(MAX_SUBJECT),
  dim: z.string().min(1).max(60).optional(),
  value: z.string().min(1).max(MAX_VALUE),
  sentence: z.string().min(1).max(MAX_SENTENCE),
})

export type Proposal = z.infer<typeof proposalSchema>

const FINAL_SIGNS = /[\s.!。！]+$/u
const SOMETHING = /[\p{L}\p{N}]/u
/** Days that mean another day tomorrow. */
const RELATIVE =
  /^(?:today|tonight|tomorrow|yesterday|(?:next|this|last) \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|soon|later|今天|明天|后天|昨天|[上下本这]周.?|(?:周|星期)[一二三四五六日天末]|下个?月)$/iu

const sentenceKey = (sentence: string) => canonicalText(sentence).replace(FINAL_SIGNS, '')

/** Statements of the passages by sentence: what {@link gateOver} judges against, made once for many proposals. */
export function statementIndex(passages: readonly Passage[]): ReadonlyMap<string, Statement> {
  const index = new Map<string, Statement>()
  for (const statement of statementsOf(passages)) {
    const key = sentenceKey(statement.text)
    if (!index.has(key)) index.set(key, statement)
  }
  return index
}

/** The sentence without what its correction denies: that is blank in the shadow. */
function blanked({ text, shadow }: Statement): string {
  let said = ''
  for (let at = 0; at < text.length; at++) said += shadow[at] === ' ' ? ' ' : text[at]
  return said
}

/** Of a quotation or code span only the whole of it can be meant: what is stated inside is somebody else's. */
function quotedInPart(shadow: string, at: number, end: number): boolean {
  if (shadow[at] !== HIDDEN || shadow[at - 1] !== HIDDEN) return false
  return shadow[at - 2] === HIDDEN || shadow[end] !== HIDDEN || shadow[end + 1] === HIDDEN
}

function stands(statement: Statement, subject: string, value: string): boolean {
  const said = blanked(statement)
  const of = wholeTokensAt(said, subject)
  const at = wholeTokensAt(said, value)
  if (of < 0 || at < 0) return false
  const [ofEnd, atEnd] = [of + subject.length, at + value.length]
  if (quotedInPart(statement.shadow, of, ofEnd) || quotedInPart(statement.shadow, at, atEnd)) return false
  return atEnd <= of || ofEnd <= at
}

export function gateOver(index: ReadonlyMap<string, Statement>, candidate: unknown): Distilled | undefined {
  const parsed = proposalSchema.safeParse(candidate)
  if (!parsed.success) return undefined
  const subject = parsed.data.subject.normalize('NFC')
  const value = parsed.data.value.normalize('NFC')
  const statement = index.get(sentenceKey(parsed.data.sentence))
  if (!statement || !SOMETHING.test(value) || RELATIVE.test(value)) return undefined
  if (!isSubject(subject)) return undefined
  if (!stands(statement, subject, value)) return undefined
  const read = readStatement(statement).find(said => said.subject === subject && said.value === value)
  if (read) {
    const { about: _, ...distilled } = read
    return distilled
  }
  const { text, passage } = statement
  return { text, subject, value, sentence: text, passage }
}

/**
 * The gate that every proposal has to pass: of the right shape, from one sentence of what a user or the assistant said
 * (equal but for NFC, blanks and the final sign), which is a definite statement, with subject and value in it as whole
 * tokens, as written. `undefined` for anything else; never throws.
 *
 * The fact form is given only where the rules read the same; a dimension that was merely proposed is not believed, and
 * the sentence itself is kept.
 */
export function verbatimGate(candidate: unknown, passages: readonly Passage[]): Distilled | undefined {
  return gateOver(statementIndex(passages), candidate)
}
