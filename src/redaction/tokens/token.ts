import type { Rule, Span } from '../rule.ts'

/**
 * A credential that can be told by its own form.
 *
 * `body` is the source of a pattern. To stay linear it must begin with its literal prefix, and may only have a
 * quantifier without upper bound where nothing has to follow that is not in its class.
 */
export interface TokenForm {
  readonly kind: string
  /** Literals of which a text must hold one to be looked at; what makes a text without secrets cheap. */
  readonly hints: readonly string[]
  /** Where no literal is telling: a cheap pattern without which there is none. */
  readonly probe?: RegExp
  readonly body: string
  /** Last word on what matched: a prefix and a run of letters is often just a name. */
  readonly accept?: (token: string) => boolean
}

/**
 * Not in the middle of a word. A letter counts as the end of an escape where one stands before it, since texts are often
 * JSON in JSON or parts of an URL (`"\nsk-…"`, `%3Dsk-…`).
 */
const START = String.raw`(?<![A-Za-z0-9](?<!\\[nrtbf]|%[0-9A-Fa-f]{2}))`

/** Contents of data URLs, which are no place for tokens but hold every short run of letters sooner or later. */
const DATA_URL = /;base64,[A-Za-z0-9+/]{64,}={0,2}/g

export function tokenRules(forms: readonly TokenForm[]): Rule[] {
  return forms.map(tokenRule)
}

function tokenRule({ kind, hints, probe, body, accept }: TokenForm): Rule {
  const pattern = new RegExp(START + body, 'g')
  return {
    kinds: [kind],
    *find(text): Generator<Span> {
      if (!hints.some(hint => text.includes(hint)) || probe?.test(text) === false) return
      let images: readonly Extent[] | undefined
      for (const { index: start, 0: token } of text.matchAll(pattern)) {
        if (accept !== undefined && !accept(token)) continue
        images ??= dataUrlsIn(text)
        const end = start + token.length
        if (!images.some(image => image.start <= start && end <= image.end)) yield { start, end, kind }
      }
    },
  }
}

interface Extent {
  readonly start: number
  readonly end: number
}

function dataUrlsIn(text: string): Extent[] {
  if (!text.includes(';base64,')) return []
  return [...text.matchAll(DATA_URL)].map(({ index, 0: url }) => ({ start: index, end: index + url.length }))
}

/** Holds a digit: keys do, and names made of words seldom. */
export function hasDigit(token: string): boolean {
  return /\d/.test(token)
}

/** Holds a digit and letters of both cases. */
export function isMixed(token: string): boolean {
  return /\d/.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token)
}
