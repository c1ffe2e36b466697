/**
 * `2026-11-30 21:15 UTC`, of Unix milliseconds. Absolute, so that it stays true, and stays the same from one turn to the
 * next. `unknown time` where it is none.
 */
export function shownTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? 'unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
