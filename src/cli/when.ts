/** `2026-11-30 21:15 UTC`, of Unix milliseconds. */
export function isoMinute(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
