import type { NamedDate } from '../analyse/index.ts'
import { SETTINGS } from './settings.ts'

const DAY = 86_400_000
/** "Early next month": things are told a few days after they happened. Days. */
const EARLY = 10

/**
 * How well the time a line was said fits a date of the question, 0 to 1. What happened on a day is told that day or in
 * the days after; what happened in a month, in it or early in the next. Calendar days are UTC.
 */
export function dateFit(date: NamedDate, saidAt: number): number {
  const said = new Date(saidAt)
  if (Number.isNaN(said.getTime())) return 0
  const year = date.year ?? said.getUTCFullYear()
  const { date: fit } = SETTINGS
  if (date.month === undefined) return date.year === said.getUTCFullYear() ? fit.sameYear : 0
  if (date.day === undefined) {
    const months = (said.getUTCFullYear() - year) * 12 + said.getUTCMonth() + 1 - date.month
    if (months === 0) return fit.sameMonth
    if (months === 1 && said.getUTCDate() <= EARLY) return fit.earlyNextMonth
    return date.year === said.getUTCFullYear() ? fit.sameYear : 0
  }
  const days = Math.floor(saidAt / DAY) - Math.floor(Date.UTC(year, date.month - 1, date.day) / DAY)
  if (days === 0) return fit.sameDay
  if (days > 0 && days <= 7) return fit.weekAfter
  if (days < 0 && days >= -2) return fit.dayBefore
  if (said.getUTCFullYear() === year && said.getUTCMonth() + 1 === date.month) return fit.sameYear
  return date.year === said.getUTCFullYear() ? fit.sameYear : 0
}

/** The best fit over all dates of a question. */
export function bestDateFit(dates: readonly NamedDate[], saidAt: number | undefined): number {
  if (saidAt === undefined) return 0
  return dates.reduce((best, date) => Math.max(best, dateFit(date, saidAt)), 0)
}
