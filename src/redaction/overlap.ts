import type { Span } from './rule.ts'

/** A span and its rank: the lower one names the whole where several overlap. */
export interface Ranked extends Span {
  readonly rank: number
}

/** The rank of a marker that is there already: anything found names the whole before it. */
export const MARKER_RANK = Number.POSITIVE_INFINITY

/**
 * Joins overlapping spans, so that nothing of either is left. What is a marker and nothing more is left out: it has been
 * done. Sorted, and disjoint.
 */
export function joinOverlapping(spans: readonly Ranked[]): Span[] {
  const joined: Ranked[] = []
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank)
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else joined[joined.length - 1] = join(last, span)
  }
  return joined.filter(({ rank }) => rank !== MARKER_RANK)
}

function join(a: Ranked, b: Ranked): Ranked {
  const end = Math.max(a.end, b.end)
  // Something found inside of a marker is no news; it is so only while the marker is all there is.
  if (a.rank === MARKER_RANK && b.end <= a.end) return a
  if (b.rank === MARKER_RANK && a.start === b.start && a.end <= b.end) return b
  const named = b.rank < a.rank ? b : a
  return { start: a.start, end, kind: named.kind, rank: named.rank }
}
