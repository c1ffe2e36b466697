import type { Clause } from './clauses.ts'
import type { Statement } from './definite.ts'
import { aliases, DIMENSIONS, type Dimension, dimensionNamed, dimensionOf, NAMED } from './dimensions.ts'
import { groupSpan, type Reading, unquoted } from './reading.ts'
import { HIDDEN } from './shadow.ts'
import { isNarrowing, isSubject } from './subject.ts'
import { behind, type Span, valueAt } from './value.ts'

const WORD = `[\\p{L}\\p{N}@${HIDDEN}][\\p{L}\\p{N}_./@:+#${HIDDEN}-]*`
const SUBJECT = `(?:(?:the|our)\\s+)?(?<subject>${WORD}(?:\\s+${WORD}){0,5}?)`
const NARROW = `(?:(?<narrow>${WORD}(?:\\s+${WORD}){0,2}?)\\s+)?`
const DIM = `(?<dim>${aliases('english')})`
const CHANGED =
  '(?:moved|migrated|switched|changed|upgraded|downgraded|bumped|updated|raised|lowered|increased|decreased|reduced|set|extended|pushed|pulled|renamed|transferred)'
const FROM = '(?:from\\s+\\S+(?:\\s+\\S+)?\\s+)?'
const IS = `(?:\\s*[=:]\\s*|\\s+(?:(?:is|are)(?:\\s+(?:now|currently|still|always|set\\s+to))?|(?:(?:has|have)\\s+been\\s+|was\\s+|were\\s+|(?:is|are)\\s+|)(?:now\\s+|just\\s+)?${CHANGED}\\s+${FROM}to)\\s+)`
const ACTOR =
  "(?:(?:we|i)(?:'ve|\\s+have)?(?:\\s+(?:just|already|now|recently))?|(?:the\\s+)?[\\p{L}-]+(?:\\s+team)?(?:\\s+has)?)"
const TO = `\\s+${FROM}to\\s+`
/** Who "moved the meeting" without a name is nobody that a memory could name. */
const ACTED_BY_PRONOUN = /^(?:he|she|they|it|you|who|this|that)\b/i

/** "port of billing", "billing's staging port", "billing port". */
const NOMINALS = [
  `(?:(?:the|our)\\s+)?${NARROW}${DIM}\\s+(?:of|for)\\s+${SUBJECT}`,
  `${SUBJECT}'s?\\s+${NARROW}${DIM}`,
  `${SUBJECT}\\s+${DIM}`,
]

const rule = (source: string) => new RegExp(`^${source}`, 'diu')

/** With the dimension named in the clause. */
const NAMED_RULES = [
  ...NOMINALS.map(nominal => rule(nominal + IS)),
  ...NOMINALS.map(nominal => rule(`${ACTOR}\\s+${CHANGED}\\s+${nominal}${TO}`)),
  rule(`${SUBJECT}\\s+has\\s+an?\\s+${NARROW}${DIM}\\s+of\\s+`),
]
const ALONE = rule(
  `(?:(?:the|our)\\s+)?(?<subject>${aliases(
    'english',
    DIMENSIONS.filter(({ alone }) => alone),
  )})${IS}`,
)

const BE = '(?:is|are)(?:\\s+(?:now|currently|always))?'
const fixed = (dimension: string, source: string) => ({
  pattern: rule(SUBJECT + source),
  among: [dimensionNamed(dimension)],
})
const PLACED = `${SUBJECT}\\s+(?:(?:now\\s+)?(?:lives?|sits?)|${BE}(?:\\s+(?:stored|located|kept|found|available|reachable|hosted|served|documented))?|can\\s+be\\s+(?:reached|found))`
const PLACES = ['email', 'url', 'path', 'address'].map(dimensionNamed)

/** Verbs that say which dimension is meant, or which of some by what the value looks like. */
const VERB_RULES: readonly { readonly pattern: RegExp; readonly among: readonly Dimension[] }[] = [
  fixed(
    'port',
    `\\s+(?:now\\s+)?(?:listens?|runs?|(?:is|are)\\s+(?:served|exposed|running|listening))\\s+on\\s+(?:port\\s+)?(?=\\d)`,
  ),
  fixed('deadline', `\\s+${BE}\\s+due\\s+(?:(?:on|by)\\s+)?`),
  fixed('timeout', '\\s+times?\\s+out\\s+after\\s+'),
  fixed('limit', `\\s+${BE}\\s+(?:limited|capped)\\s+(?:to|at)\\s+`),
  fixed('version', `\\s+${BE}\\s+(?:pinned\\s+to|on)\\s+version\\s+`),
  fixed('version', `\\s+${BE}\\s+pinned\\s+to\\s+`),
  fixed(
    'version',
    `\\s+(?:was|were|(?:has|have)\\s+been)\\s+(?:upgraded|bumped|updated|downgraded)\\s+${FROM}to\\s+(?:version\\s+)?`,
  ),
  {
    pattern: rule(
      `${ACTOR}\\s+(?:upgraded|bumped|updated|downgraded|pinned)\\s+${SUBJECT}\\s+${FROM}to\\s+(?:version\\s+)?`,
    ),
    among: [dimensionNamed('version')],
  },
  fixed('owner', `\\s+${BE}\\s+(?:owned|maintained|led|run)\\s+by\\s+(?:the\\s+)?`),
  { pattern: rule(`${PLACED}\\s+(?:at|on|via)\\s+(?:the\\s+)?`), among: PLACES },
  { pattern: rule(`${PLACED}\\s+(?:in|under)\\s+(?:the\\s+)?`), among: [dimensionNamed('path')] },
]
const OWNS = rule(
  `(?:the\\s+)?(?<owner>@?[\\p{L}\\p{N}'&-]+(?:\\s+[\\p{L}\\p{N}'&-]+){0,2}?)\\s+(?:now\\s+)?(?:owns?|maintains?|leads?|is\\s+(?:now\\s+)?(?:responsible\\s+for|in\\s+charge\\s+of|the\\s+(?:owner|maintainer)\\s+of)|takes\\s+care\\s+of)\\s+${SUBJECT}(?=$|\\s+(?:now|since|from|in|on|until)\\b)`,
)

/** Relations without a dimension: the sentence itself is kept. */
const RELATIONS = [
  `${SUBJECT}\\s+(?:now\\s+)?(?:uses?|runs?\\s+on|depends?\\s+on|relies\\s+on|requires?)\\s+(?:the\\s+)?`,
  `${SUBJECT}\\s+${BE}\\s+(?:written\\s+in|built\\s+(?:with|on)|based\\s+on|deployed\\s+(?:to|on)|hosted\\s+(?:on|at)|called|named|renamed\\s+to)\\s+`,
  `${SUBJECT}\\s+(?:(?:has|have)\\s+(?:been\\s+)?|was\\s+|were\\s+|(?:is|are)\\s+now\\s+|)(?:just\\s+|recently\\s+)?${CHANGED}\\s+(?:over\\s+)?${FROM}to\\s+(?:the\\s+)?`,
  `${ACTOR}\\s+${CHANGED}\\s+${SUBJECT}\\s+(?:over\\s+)?${FROM}to\\s+(?:the\\s+)?`,
].map(rule)

const CLOSED = /^(?:\s+(?:now|already|today|these days|as of [\w -]{1,30}))?\s*$/i
const NARROWED =
  /^\s+(?:in|on|at|for|since|under|within|during|across|with|via|as|by|instead|rather|last|this)\s+\S|^\s*\(/i

/** How what is behind a value bears on it; `undefined` when the value goes on and was not read whole. */
function narrows(shadow: string, value: Span, clause: Clause): boolean | undefined {
  const rest = shadow.slice(behind(shadow, value), clause.end)
  if (CLOSED.test(rest)) return false
  return NARROWED.test(rest) ? true : undefined
}

function subjectOf(statement: Statement, found: Span | undefined): Span | undefined {
  if (!found) return undefined
  const span = unquoted(statement.shadow, found)
  return isSubject(statement.text.slice(span.start, span.end)) ? span : undefined
}

/** What one match says, if its value looks like one of the dimension. */
function take(
  statement: Statement,
  clause: Clause,
  subject: Span | undefined,
  at: number,
  dimension: { readonly shape: RegExp; readonly name?: string },
): Reading | undefined {
  const { text, shadow } = statement
  const found = subjectOf(statement, subject)
  const value = found && valueAt(text, shadow, at, clause.end, dimension.shape)
  if (!found || !value) return undefined
  const narrowed = narrows(shadow, value, clause)
  if (narrowed === undefined) return undefined
  return { subject: found, value, narrowed, ...(dimension.name === undefined ? {} : { dim: dimension.name }) }
}

function named(statement: Statement, clause: Clause, said: string): Reading | undefined {
  for (const pattern of NAMED_RULES) {
    const match = pattern.exec(said)
    const dimension = match && dimensionOf(match.groups?.dim ?? '')
    if (!dimension) continue
    const narrow = groupSpan(match, 'narrow', clause)
    const words = narrow && statement.text.slice(narrow.start, narrow.end)
    if (words !== undefined && !isNarrowing(words)) continue
    const at = clause.start + match[0].length
    const name = words === undefined || !isTelling(words) ? dimension.name : `${words.toLowerCase()} ${dimension.name}`
    const reading = take(statement, clause, groupSpan(match, 'subject', clause), at, { shape: dimension.shape, name })
    if (reading) return reading
  }
  return undefined
}

/** What only says that it holds now narrows nothing. */
const isTelling = (words: string) => !/^(?:new|current|actual|correct)$/i.test(words)

function owned(statement: Statement, clause: Clause, said: string): Reading | undefined {
  const match = OWNS.exec(said)
  const owner = match && groupSpan(match, 'owner', clause)
  const subject = match && subjectOf(statement, groupSpan(match, 'subject', clause))
  if (!owner || !subject) return undefined
  const value = valueAt(statement.text, statement.shadow, owner.start, owner.end, dimensionNamed('owner').shape)
  if (value?.end !== owner.end) return undefined
  return { subject, value, dim: 'owner', narrowed: narrows(statement.shadow, subject, clause) !== false }
}

export function readEnglish(statement: Statement, clause: Clause): Reading | undefined {
  const said = statement.shadow.slice(clause.start, clause.end)
  if (ACTED_BY_PRONOUN.test(said)) return undefined
  const byName = named(statement, clause, said)
  if (byName) return byName
  const alone = ALONE.exec(said)
  if (alone) {
    const dimension = dimensionOf(alone.groups?.subject ?? '')
    const subject = groupSpan(alone, 'subject', clause)
    const value =
      dimension &&
      valueAt(statement.text, statement.shadow, clause.start + alone[0].length, clause.end, dimension.shape)
    const narrowed = value && narrows(statement.shadow, value, clause)
    if (subject && value && narrowed !== undefined) return { subject, value, narrowed: true, dim: dimension.name }
  }
  for (const { pattern, among } of VERB_RULES) {
    const match = pattern.exec(said)
    if (!match) continue
    for (const dimension of among) {
      const reading = take(
        statement,
        clause,
        groupSpan(match, 'subject', clause),
        clause.start + match[0].length,
        dimension,
      )
      if (reading) return reading
    }
  }
  const byOwner = owned(statement, clause, said)
  if (byOwner) return byOwner
  for (const pattern of RELATIONS) {
    const match = pattern.exec(said)
    const reading =
      match &&
      take(statement, clause, groupSpan(match, 'subject', clause), clause.start + match[0].length, { shape: NAMED })
    if (reading) return reading
  }
  return undefined
}
