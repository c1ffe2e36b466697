import type { Rule, Span } from './rule.ts'

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const END_MARK = '-----END '
const END = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?(?:-----)?/y

/** White space as it is, or as a string literal spells it. */
const GAP = /(?:\s|\\+[nrt]|["'`+,]|=[A-Za-z0-9]{4}(?=\s|$))*/y
const HEADER = /(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\n\\]{0,200}/y
const RUN = /[A-Za-z0-9+/]+={0,2}/y

/**
 * Private key blocks, with real line ends or literal `\n`, encrypted or not. A block whose end is missing goes as far as
 * what can be part of it: a cut-off key is still most of a key. The two lines alone, with no key between, stay.
 */
export const pemRule: Rule = {
  kinds: ['pem'],
  *find(text): Generator<Span> {
    if (!text.includes('PRIVATE KEY')) return
    let done = 0
    for (const { index: start, 0: begin } of text.matchAll(BEGIN)) {
      if (start < done) continue
      const body = start + begin.length
      const { end, runs } = bodyEnd(text, body)
      if (runs === 0) continue
      done = closingEnd(text, end)
      yield { start, end: done, kind: 'pem' }
    }
  },
}

/** Where the body ends, and how many runs of key it has. */
function bodyEnd(text: string, from: number): { end: number; runs: number } {
  let at = from
  let end = from
  let runs = 0
  for (;;) {
    at = skip(GAP, text, at)
    const header = skip(HEADER, text, at)
    if (header > at) {
      at = header
      continue
    }
    const next = skip(RUN, text, at)
    if (next === at || !isKey(text.slice(at, Math.min(next, at + 80)))) return { end, runs }
    at = next
    end = next
    runs += 1
  }
}

/** Behind the closing line, when it follows. */
function closingEnd(text: string, from: number): number {
  const at = skip(GAP, text, from)
  if (!text.startsWith(END_MARK, at)) return from
  return Math.max(from, skip(END, text, at))
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** A line of base64 rather than a word of prose. */
function isKey(run: string): boolean {
  return run.length >= 24 || run.startsWith('MI') || /[\d+/=]/.test(run) || /[a-z][A-Z]/.test(run)
}
