import type { AnalysedQuery, NamedDate } from '../analyse/index.ts'
import { dayNumber, dayNumberOf } from './calendar.ts'
import { SETTINGS } from './settings.ts'
import { type DaySpan, pastOf } from './timeSpans.ts'

/** "Early next month": things are told a few days after they happened. Days. */
const EARLY = 10

/**
 * How well the time a line was said fits a date of the question, 0 to 1. What happened on a day is told that day or in
 * the days after; what happened in a month, in it or early in the next.
 */
export function dateFit(date: NamedDate, saidAt: number): number {
  const said = new Date(saidAt)
  if (Number.isNaN(said.getTime())) return 0
  const year = date.year ?? said.getFullYear()
  const { date: fit } = SETTINGS
  if (date.month === undefined) return date.year === said.getFullYear() ? fit.sameYear : 0
  if (date.day === undefined) {
    const months = (said.getFullYear() - year) * 12 + said.getMonth() + 1 - date.month
    if (months === 0) return fit.sameMonth
    if (months === 1 && said.getDate() <= EARLY) return fit.earlyNextMonth
    return date.year === said.getFullYear() ? fit.sameYear : 0
  }
  const days = dayNumber(saidAt) - dayNumberOf(year, date.month, date.day)
  if (days === 0) return fit.sameDay
  if (days > 0 && days <= 7) return fit.weekAfter
  if (days < 0 && days >= -2) return fit.dayBefore
  if (said.getFullYear() === year && said.getMonth() + 1 === date.month) return fit.sameYear
  return date.year === said.getFullYear() ? fit.sameYear : 0
}

/** When a question is about, for weighing what words have found. */
export interface AskedWhen {
  readonly dates: readonly NamedDate[]
  readonly spans: readonly DaySpan[]
}

/** @param now Unix milliseconds */
export function askedWhen(query: AnalysedQuery, now: number): AskedWhen {
  const { dates, spans } = pastOf(query.times, now)
  return { dates: [...query.dates, ...dates], spans }
}

/** The best fit over all times of a question. */
export function bestDateFit({ dates, spans }: AskedWhen, saidAt: number | undefined): number {
  if (saidAt === undefined) return 0
  const fits = dates.map(date => dateFit(date, saidAt))
  const day = dayNumber(saidAt)
  // Some days are as near a time as a month is.
  if (spans.some(({ first, last }) => day >= first && day <= last)) fits.push(SETTINGS.date.sameMonth)
  return Math.max(0, ...fits)
}
