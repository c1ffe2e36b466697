/** From these on, a number is milliseconds (below: seconds), microseconds, nanoseconds since 1970. */
const MILLIS = 1e11
const MICROS = 1e14
const NANOS = 1e17
/** `YYYY-MM-DD HH:MM:SS` as SQLite writes it, in UTC, which it does not say. */
const SQLITE_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

/** Unix milliseconds of a time as an old row may hold it; `undefined` for what is none. */
export function unixMillis(value: unknown): number | undefined {
  if (typeof value === 'number') return ofNumber(value)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const text = value.trim()
  const number = Number(text)
  if (Number.isFinite(number)) return ofNumber(number)
  const time = Date.parse(text.replace(SQLITE_TIME, '$1T$2Z'))
  return Number.isNaN(time) || time <= 0 ? undefined : time
}

function ofNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined
  if (value < MILLIS) return Math.trunc(value * 1_000)
  if (value < MICROS) return Math.trunc(value)
  return Math.trunc(value < NANOS ? value / 1_000 : value / 1_000_000)
}
