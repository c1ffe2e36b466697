import type { Rule, Span } from './rule.ts'

/** An access key id, and what its secret looks like: a run that only its neighbour gives away. */
interface Pair {
  readonly kind: string
  readonly id: RegExp
  readonly hint: string
  readonly secret: RegExp
}

/** How far behind its id a secret is looked for. */
const REACH = 240

const PAIRS: readonly Pair[] = [
  {
    kind: 'aws_secret',
    hint: 'IA',
    id: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
    secret: /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/g,
  },
  {
    kind: 'alibaba_secret',
    hint: 'LTAI',
    id: /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,30}(?![A-Za-z0-9])/g,
    secret: /(?<![A-Za-z0-9])[A-Za-z0-9]{30}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'tencent_secret',
    hint: 'AKID',
    id: /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{13,48}(?![A-Za-z0-9])/g,
    secret: /(?<![A-Za-z0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])/g,
  },
]

/** Secrets that stand behind their access key id, whatever they are called there. */
export const pairRules: readonly Rule[] = PAIRS.map(({ kind, hint, id, secret }) => ({
  kinds: [kind],
  *find(text: string): Generator<Span> {
    if (!text.includes(hint)) return
    for (const { index, 0: key } of text.matchAll(id)) {
      const from = index + key.length
      // One character more on both sides, so that a run which goes on is not taken for one that ends.
      const near = text.slice(from, from + REACH)
      for (const { index: at, 0: run } of near.matchAll(secret)) {
        if (at + run.length === REACH || !/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/\d/.test(run)) continue
        yield { start: from + at, end: from + at + run.length, kind }
      }
    }
  },
}))
