import type { Span } from './rule.ts'

/** What a kind may look like, so that a marker is always readable and always found again. */
export const KIND = /^[a-z][a-z0-9_]{0,39}$/

const MARKER = /\[redacted:([a-z][a-z0-9_]{0,39})\]/g

/** What stands where a secret stood. Constant for a kind, so that the same text redacts to the same block. */
export function marker(kind: string): string {
  return `[redacted:${kind}]`
}

/** The markers in a text. Only those of known kinds count: nothing can hide from the rules by looking like a marker. */
export function markersIn(text: string, kinds: ReadonlySet<string>): Span[] {
  if (!text.includes('[redacted:')) return []
  return [...text.matchAll(MARKER)].flatMap(({ index, 0: whole, 1: kind }) =>
    kind !== undefined && kinds.has(kind) ? [{ start: index, end: index + whole.length, kind }] : [],
  )
}
