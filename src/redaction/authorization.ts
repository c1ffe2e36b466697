import { isPlaceholder } from './assignment/placeholder.ts'
import type { Rule, Span } from './rule.ts'

/** A header line, a JSON member or an argument that carries an authorization with a named scheme. */
const HEADER =
  /authorization\\{0,3}["'`]?\]?\s{0,4}(?:=>|[:=：,])\s{0,4}\\{0,3}["'`]?\s{0,4}(bearer|basic|token|apikey|api-key|digest|negotiate)\s{1,4}([^\s"'`\\,;<>]+)/gi

/** A bearer token without its header. */
const BEARER = /(?<![A-Za-z0-9])bearer[ \t:=]{1,4}["'`]?([A-Za-z0-9._~+/-]{16,}={0,2})/gi

/** Basic credentials without their header: told by what they decode to. */
const BASIC = /(?<![A-Za-z0-9])basic[ \t]{1,4}["'`]?([A-Za-z0-9+/]{8,1024}={0,2})/gi

/** `Cookie:` and `Set-Cookie:`, all that it carries, its attributes included. */
const COOKIE =
  /(?<![A-Za-z0-9])(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?([\w.-]+=[^\s;"'\\]*(?:; ?[\w.-]+(?:=[^\s;"'\\]*)?)*)/gi

export const authorizationRule: Rule = {
  kinds: ['bearer', 'basic', 'authorization', 'cookie'],
  *find(text): Generator<Span> {
    const lower = text.toLowerCase()
    if (lower.includes('authorization')) yield* headers(text)
    if (lower.includes('bearer'))
      yield* found(text, BEARER, 'bearer', value => /\d/.test(value) && !isPlaceholder(value))
    if (lower.includes('basic')) yield* found(text, BASIC, 'basic', isCredentials)
    if (lower.includes('cookie'))
      yield* found(text, COOKIE, 'cookie', value => /=[^\s;"']{8,}/.test(value.slice(0, 512)))
  },
}

function* headers(text: string): Generator<Span> {
  for (const match of text.matchAll(HEADER)) {
    const [whole, scheme, value] = match
    if (scheme === undefined || value === undefined || isPlaceholder(value)) continue
    const name = scheme.toLowerCase()
    const end = match.index + whole.length
    yield { start: end - value.length, end, kind: name === 'bearer' || name === 'basic' ? name : 'authorization' }
  }
}

function* found(text: string, pattern: RegExp, kind: string, accept: (value: string) => boolean): Generator<Span> {
  for (const match of text.matchAll(pattern)) {
    const [whole, value] = match
    if (value === undefined || !accept(value)) continue
    const end = match.index + whole.length
    yield { start: end - value.length, end, kind }
  }
}

/** `user:password` in base64. */
function isCredentials(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString('latin1')
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(decoded)
}
