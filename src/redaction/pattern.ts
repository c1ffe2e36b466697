import { KIND } from './marker.ts'

/** A pattern of the user's own, as it is written in the settings. */
export interface CustomPattern {
  /** What its finds are called: lower-case letters, digits and `_`. */
  readonly name: string
  /** In RE2's syntax. A group named `secret` narrows what is removed to that group. */
  readonly pattern: string
  /** Of `i` (any case), `m` (`^` and `$` at every line), `s` (`.` is a line end, too). */
  readonly flags?: string
}

/** A pattern in the settings that cannot be used. The message names it and the remedy. */
export class BadPatternError extends Error {
  override readonly name = 'BadPatternError'
}

const MAX_LENGTH = 1_000
const MEMBERS: ReadonlySet<string> = new Set(['name', 'pattern', 'flags'])

/** Whether settings hold a pattern here, short of compiling it. Throws `BadPatternError`; `where` is its place. */
export function checkPattern(value: unknown, where: string): asserts value is CustomPattern {
  if (typeof value !== 'object' || value === null) throw new BadPatternError(`${where} must be {name, pattern, flags?}`)
  const unknown = Object.keys(value).find(member => !MEMBERS.has(member))
  if (unknown !== undefined)
    throw new BadPatternError(`${where} has no member "${unknown}"; there are name, pattern, flags`)
  const { name, pattern, flags = '' } = value as Partial<Record<string, unknown>>
  if (typeof name !== 'string' || !KIND.test(name)) {
    throw new BadPatternError(`${where}.name must match ${KIND.source}, not ${JSON.stringify(name)}`)
  }
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_LENGTH) {
    throw new BadPatternError(`${where}.pattern ("${name}") must be a string of 1 to ${MAX_LENGTH} characters`)
  }
  if (typeof flags !== 'string' || !/^[ims]{0,3}$/.test(flags)) {
    throw new BadPatternError(`${where}.flags ("${name}") may hold i, m and s, not ${JSON.stringify(flags)}`)
  }
}
