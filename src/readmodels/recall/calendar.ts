/**
 * Calendar days, as the people of this machine see them: "yesterday" asked at seven in the morning in Shanghai is a day of
 * Shanghai. All in Unix milliseconds.
 */

const DAY = 86_400_000

/** The number of a day: those of two days differ by the days between them. */
export function dayNumber(time: number): number {
  const date = new Date(time)
  return dayNumberOf(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** Month 1–12; months and days beyond the calendar's run over, as they do in `Date`. */
export function dayNumberOf(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month - 1, day) / DAY)
}

/** When a day begins. */
export function startOfDay(number: number): number {
  const date = new Date(number * DAY)
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()).getTime()
}

/** `2024-05-08`. */
export function dayName(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10)
}
