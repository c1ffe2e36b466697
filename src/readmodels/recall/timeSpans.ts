import type { AskedTime, NamedDate, RelativeTime } from '../analyse/index.ts'
import { dayName, dayNumber, dayNumberOf, startOfDay } from './calendar.ts'

/** Days that a question asks about: day numbers, both included. */
export interface DaySpan {
  readonly first: number
  readonly last: number
}

/** Years back that a date without a year is looked for. */
const YEARS_BACK = 10

interface Now {
  readonly day: number
  readonly year: number
  readonly month: number
  /** The Monday of its week. */
  readonly monday: number
}

function nowOf(time: number): Now {
  const date = new Date(time)
  const day = dayNumber(time)
  return {
    day,
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    monday: day - ((date.getDay() + 6) % 7),
  }
}

function relativeSpan(time: RelativeTime, now: Now): DaySpan {
  if (time.unit === 'weekend') return { first: now.monday + 7 * time.week + 5, last: now.monday + 7 * time.week + 6 }
  if (time.unit === 'weekday') {
    const inThisWeek = now.monday + time.weekday - 1
    if (time.week !== undefined) return single(inThisWeek + 7 * time.week)
    const gone = time.before === true ? inThisWeek < now.day : inThisWeek <= now.day
    return single(gone ? inThisWeek : inThisWeek - 7)
  }
  const { first, last } = time
  if (time.unit === 'day') return { first: now.day + first, last: now.day + last }
  if (time.unit === 'week') return { first: now.monday + 7 * first, last: now.monday + 7 * last + 6 }
  if (time.unit === 'month') {
    return {
      first: dayNumberOf(now.year, now.month + first, 1),
      last: dayNumberOf(now.year, now.month + last + 1, 1) - 1,
    }
  }
  return { first: dayNumberOf(now.year + first, 1, 1), last: dayNumberOf(now.year + last + 1, 1, 1) - 1 }
}

const single = (day: number): DaySpan => ({ first: day, last: day })

function dateSpan({ month, day }: NamedDate, year: number): DaySpan {
  if (month === undefined) return { first: dayNumberOf(year, 1, 1), last: dayNumberOf(year, 12, 31) }
  if (day === undefined) return { first: dayNumberOf(year, month, 1), last: dayNumberOf(year, month + 1, 1) - 1 }
  return single(dayNumberOf(year, month, day))
}

function spansIn(times: readonly AskedTime[], now: Now, year: number): DaySpan[] {
  return times.map(asked => {
    if (asked.kind === 'relative') return relativeSpan(asked.time, now)
    if (asked.kind === 'date') return dateSpan(asked.date, asked.date.year ?? year)
    const fromYear = asked.from.year ?? asked.to.year ?? year
    const from = dateSpan(asked.from, fromYear)
    const to = dateSpan(asked.to, asked.to.year ?? fromYear)
    return { first: Math.min(from.first, to.first), last: Math.max(from.last, to.last) }
  })
}

/**
 * The days a question asks about, as seen at `now` (Unix milliseconds): several readings, likeliest first. A date without a
 * year is of this year or the latest one in which something was said; beside "last year" (`去年五月`) it is of that one.
 */
export function* readingsOf(times: readonly AskedTime[], now: number): Generator<readonly DaySpan[]> {
  const then = nowOf(now)
  const yearless = times.some(asked =>
    asked.kind === 'date' ? asked.date.year === undefined : asked.kind === 'between' && asked.from.year === undefined,
  )
  const year = times.find(asked => asked.kind === 'relative' && asked.time.unit === 'year')
  if (!yearless) yield spansIn(times, then, then.year)
  else if (year?.kind === 'relative' && year.time.unit === 'year') {
    yield spansIn(
      times.filter(asked => asked !== year),
      then,
      then.year + year.time.last,
    )
  } else {
    for (let back = 0; back <= YEARS_BACK; back++) {
      const spans = spansIn(times, then, then.year - back)
      // What has not come yet cannot have been said.
      if (spans.some(span => span.first <= then.day)) yield spans
    }
  }
}

/**
 * What else a question says of when: times gone by as dates where they are a day, a month or a year, as days where not.
 * Today and this week are left out: people say them of what they do now.
 */
export function pastOf(times: readonly AskedTime[], now: number): { dates: NamedDate[]; spans: DaySpan[] } {
  const then = nowOf(now)
  const dates: NamedDate[] = []
  const spans: DaySpan[] = []
  for (const asked of times) {
    if (asked.kind !== 'relative') continue
    const { time } = asked
    const span = relativeSpan(time, then)
    if (span.last >= then.day) continue
    const [year = 0, month = 0, day = 0] = dayName(span.first).split('-').map(Number)
    if (span.first === span.last) dates.push({ year, month, day })
    else if (time.unit === 'month' && time.first === time.last) dates.push({ year, month })
    else if (time.unit === 'year' && time.first === time.last) dates.push({ year })
    else spans.push(span)
  }
  return { dates, spans }
}

/** The times of a span, Unix milliseconds, both included. */
export function timesOfSpan({ first, last }: DaySpan): { from: number; to: number } {
  return { from: startOfDay(first), to: startOfDay(last + 1) - 1 }
}

/** `on 2024-05-08`, or `from 2024-05-06 to 2024-05-12`. */
export function nameOfSpan({ first, last }: DaySpan): string {
  return first === last ? `on ${dayName(first)}` : `from ${dayName(first)} to ${dayName(last)}`
}
