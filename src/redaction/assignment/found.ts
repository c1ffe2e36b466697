import type { Span } from '../rule.ts'
import type { Candidate } from './join.ts'
import { isSecret } from './judge.ts'
import type { KeyClass } from './key.ts'
import type { Values } from './value.ts'

/** What follows a number that counts something. */
const UNITS =
  /^[ \t]{0,2}(?:-?(?:characters?|chars?|letters?|digits?|symbols?|words?|bits?|bytes?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|ms|times?|attempts?|users?|tokens?|requests?|per|%)\b|[位个個天次字周月年小分秒条種种名])/i

/** The span of a candidate, when it is a secret. */
export function secretIn(text: string, values: Values, key: KeyClass, candidate: Candidate): Span | undefined {
  const { value, how, apart = true, folder = false } = candidate
  if (value === undefined) return undefined
  const { start, end, quoted } = value
  // Full-width letters and digits are judged as what they stand for.
  const said = text.slice(start, Math.min(end, start + 512)).normalize('NFKC')
  const counts = UNITS.test(text.slice(end, end + 16))
  const secret = isSecret(said, { strong: key.strong, how, quoted, last: values.isLast(end), apart, counts, folder })
  return secret ? { start, end, kind: key.kind } : undefined
}
