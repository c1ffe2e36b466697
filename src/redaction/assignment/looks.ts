import { isAddress, isPath } from './reference.ts'
import { isWord } from './words.ts'

/**
 * What only looks like a value: versions, dates, times, numbers with a unit, host names, file names, e-mail addresses,
 * our own ids, names made of words and short numbers.
 */
const PLAIN: readonly RegExp[] = [
  /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$/i,
  /^\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:T[\d:.+Z-]*)?$/,
  /^\d{1,2}:\d{2}(?::\d{2})?$/,
  /^[+-]?\d+(?:[.,]\d+)*(?:[a-zμ]{1,3}|%|bytes?|bits?|chars?|days?|hours?|mins?|minutes?|secs?|seconds?|tokens?)?(?:\/\w+)?$/i,
  /^(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|cn|local|internal|lan|test|example|svc|ts|js|py|json|ya?ml|toml|env|md|txt|pem|key|go|rs|java|sh)(?::\d+)?$/i,
  /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/,
  /^(?:blk|evt|doc|ns)_/,
  /^0x[0-9a-f]{40}$/i,
  /^(?:sha\d+|md5)[:=-]/i,
  /^1password/i,
  /^#?\d+(?:[-~]\d+)?$/,
]

/** Words and short numbers joined: `app-secret-v2`, `issue-42`, `projects/12/secrets/db`. */
const NAMES =
  /^(?:[a-z]{1,20}|[A-Z]?[a-z]{1,20}|v?\d{1,4}|[a-z]{1,20}\d{1,2})(?:[-_./:](?:[a-z]{1,20}|[A-Z]?[a-z]{1,20}|v?\d{1,4}|[a-z]{1,20}\d{1,2}))+$/

/** Whether a value looks like a generated secret or a chosen password, whatever it is called. */
export function looksSecret(value: string): boolean {
  const head = value.slice(0, 512)
  if (head.length < 6 || isWord(head) || isPlain(head)) return false
  const letters = /[A-Za-z]/.test(head)
  const digits = /\d/.test(head)
  const signs = /[!@#$%^&*?~+=|]/.test(head.replace(/[!?]+$/, ''))
  if (letters && (digits || signs)) return !NAMES.test(head) || isRandom(head)
  return letters && head.length >= 20 && caseChanges(head) >= 4
}

/** Whether it looks so much like a secret that its place beside a name is enough: digits among letters of both cases, or signs. */
export function isUnmistakable(value: string, shortest: number): boolean {
  const head = value.slice(0, 512)
  if (head.length < shortest || !looksSecret(head) || !/\d/.test(head)) return false
  return (/[a-z]/.test(head) && /[A-Z]/.test(head)) || /[!@#$%^&*?~+|]/.test(head.slice(0, -1)) || isRandom(head)
}

export function isPlain(value: string): boolean {
  return isAddress(value) || isPath(value) || PLAIN.some(pattern => pattern.test(value))
}

/** A long run in which digits keep coming between letters. */
function isRandom(value: string): boolean {
  return (value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0) >= 4
}

function caseChanges(value: string): number {
  return value.match(/[a-z][A-Z]/g)?.length ?? 0
}
