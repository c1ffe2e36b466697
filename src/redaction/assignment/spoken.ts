import type { Join } from './join.ts'
import { before, matchEnd } from './mention.ts'

/** What a secret is for, between its name and the verb. */
const FOR = String.raw`(?:\s(?:for|of|to|on|in|at|from)\s[^\n.,;:!?，。；]{1,60}?)?`
const VERB =
  '(?:is|was|are|were|equals|remains|becomes|became|to|will be|should be|(?:has|have|had) been (?:set|changed|reset|rotated) to)'
const ADVERB = String.raw`(?:\s(?:now|currently|still|just|simply|actually|always|set to|changed to|equal to))?`
const SAID = new RegExp(String.raw`["'’]?${FOR}\s${VERB}${ADVERB}[:：]?\s{1,4}`, 'iy')

/** `the password for staging is …`, `changed the password to …`. Only for a value that looks like one. */
export const bySaying: Join = (text, mention, values) => {
  if (mention.chinese || /[A-Za-z]$/.test(before(text, mention, 1))) return undefined
  // `pass to …` is a verb.
  if (/^(?:pass|auth)$/i.test(mention.name) && /^\sto\s/.test(text.slice(mention.end, mention.end + 4)))
    return undefined
  const from = matchEnd(SAID, text, mention.end)
  return from === undefined ? undefined : { value: values.at(from), how: 'spoken' }
}

const CELL = /[ \t]{1,4}(?=["'`“「])|[*_`]{0,3}[ \t]{0,20}\|[ \t]{0,20}/y
const BESIDE =
  /[ \t]{1,4}(?:(?:-{1,2}>?|[–—→])[ \t]{1,4})?|[:：=][ \t]{0,4}\r?\n[ \t]{0,8}|[ \t]{0,4}\r?\n[ \t]{0,8}[:：=][ \t]{0,4}/y

/** `with password '…'`, `| password | … |`; and `password …`, `token → …`, a value on the next line. */
export const bySide: Join = (text, mention, values) => {
  if (!mention.chinese && /[A-Za-z-]$/.test(before(text, mention, 1))) return undefined
  const cell = matchEnd(CELL, text, mention.end)
  if (cell !== undefined) return { value: values.at(cell), how: 'spoken' }
  const from = matchEnd(BESIDE, text, mention.end)
  return from === undefined ? undefined : { value: values.at(from), how: 'beside' }
}

const LOGIN = /(?:user(?:name)?|login|account)[ \t:=]{1,4}\S{1,80}[ \t,;]{1,4}(?:and |with ){0,2}$/i
const LOGIN_END = /[ \t]{1,4}(?!(?:is|was|to|for)\b)/iy

/** `user deploy password …`, `machine db login deploy password …`. */
export const byLogin: Join = (text, mention, values) => {
  if (!/^(?:pass(?:word)?|pwd|pw)$/i.test(mention.name)) return undefined
  const from = matchEnd(LOGIN_END, text, mention.end)
  if (from === undefined || !LOGIN.test(before(text, mention, 120))) return undefined
  return { value: values.at(from), how: 'stated' }
}

const USED =
  /(?<![A-Za-z])(?:use|using|with|set|enter|type|chose|picked)\s(["'`]?)([^\s"'`]{4,200})\1\sas\s(?:(?:the|a|an|your|my|our|its|their)\s)?(?:[A-Za-z0-9_-]{1,20}\s){0,3}$/i

/** `use … as the password`. */
export const byUse: Join = (text, mention) => {
  if (mention.chinese) return undefined
  const head = before(text, mention, 300)
  if (!head.includes(' as ')) return undefined
  const match = USED.exec(head)
  const value = match?.[2]
  if (match === null || value === undefined) return undefined
  const quote = match[1] ?? ''
  const start = mention.start - head.length + match.index + match[0].indexOf(quote + value, 3) + quote.length
  return { value: { start, end: start + value.length, quoted: quote !== '' }, how: 'spoken' }
}

const NAMED_AFTER =
  /(?<!\S)(["'`]?)([^\s"'`]{6,200})\1\s(?:is|was)\s(?:the|your|my|our|its|their)\s(?:[A-Za-z0-9_-]{1,20}\s){0,3}$/i

/** `… is the admin password`. */
export const byNaming: Join = (text, mention) => {
  if (mention.chinese) return undefined
  const head = before(text, mention, 300)
  const match = NAMED_AFTER.exec(head)
  const value = match?.[2]
  if (match === null || value === undefined) return undefined
  const quote = match[1] ?? ''
  const start = mention.start - head.length + match.index + quote.length
  return { value: { start, end: start + value.length, quoted: false }, how: 'beside' }
}
