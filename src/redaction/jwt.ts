import type { Rule, Span } from './rule.ts'

/**
 * A JSON web token: two base64url objects and a signature, which may be empty. It begins where a run of its characters
 * begins (or behind an escape), never inside of one, so that a run is read once.
 */
const JWT = /(?<![\w-](?<!\\[nrtbf]|%[0-9A-Fa-f]{2}))eyJ[\w-]{8,}\.(?:eyJ|e30)[\w-]*\.[\w-]*/g

/** Encrypted ones have five parts, of which the second may be anything or nothing. */
const JWE = /(?<![\w-](?<!\\[nrtbf]|%[0-9A-Fa-f]{2}))eyJ[\w-]{8,}\.[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g

export const jwtRule: Rule = {
  kinds: ['jwt'],
  *find(text): Generator<Span> {
    if (!text.includes('eyJ')) return
    for (const pattern of [JWE, JWT]) {
      for (const { index: start, 0: token } of text.matchAll(pattern)) {
        yield { start, end: start + token.length, kind: 'jwt' }
      }
    }
  },
}
