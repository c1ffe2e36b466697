import { marker, markersIn } from './marker.ts'
import { joinOverlapping, MARKER_RANK, type Ranked } from './overlap.ts'
import type { RedactionRules, Span } from './rule.ts'

export interface Redacted {
  readonly text: string
  /** What was removed, sorted; empty when the text is as it was. */
  readonly kinds: readonly string[]
}

/**
 * How often the text is looked through. Once more than something was found, as a rule: what was taken away may have hidden
 * the beginning of another secret. Each round leaves less that is not a marker, so this only bounds hostile texts.
 */
const MAX_ROUNDS = 8

/**
 * Puts a marker where a secret stands. A text without secrets comes back as it is, byte for byte; redacting twice is
 * the same as once. Linear in the text.
 */
export function redact(text: string, rules: RedactionRules): Redacted {
  const kinds = new Set<string>()
  let now = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const spans = secretsIn(now, rules)
    if (spans.length === 0) break
    for (const { kind } of spans) kinds.add(kind)
    now = replace(now, spans)
  }
  return { text: now, kinds: [...kinds].sort() }
}

function secretsIn(text: string, { rules, kinds }: RedactionRules): Span[] {
  const found: Ranked[] = []
  for (const [rank, rule] of rules.entries()) {
    for (const span of rule.find(text)) if (span.end > span.start) found.push({ ...span, rank })
  }
  if (found.length === 0) return []
  for (const span of markersIn(text, kinds)) found.push({ ...span, rank: MARKER_RANK })
  return joinOverlapping(found)
}

function replace(text: string, spans: readonly Span[]): string {
  let at = 0
  let out = ''
  for (const { start, end, kind } of spans) {
    out += text.slice(at, start) + marker(kind)
    at = end
  }
  return out + text.slice(at)
}
