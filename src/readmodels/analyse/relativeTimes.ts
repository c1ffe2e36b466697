/** Times as seen from now: yesterday, last Wednesday, three weeks ago, 上周三, 前几天. What they come to is for whoever knows now. */
import { HAN_NUMBER, smallNumber } from './numerals.ts'

export type TimeUnit = 'day' | 'week' | 'month' | 'year'

/**
 * - a unit: from `first` to `last` of it, both included, counted from the one that now lies in (yesterday: day, −1 to −1);
 * - a weekday (1 is Monday) or weekend of the week that lies `week` from this one; without `week` the latest up to today,
 *   with `before` the latest before today.
 */
export type RelativeTime =
  | { readonly unit: TimeUnit; readonly first: number; readonly last: number }
  | { readonly unit: 'weekday'; readonly weekday: number; readonly week?: number; readonly before?: true }
  | { readonly unit: 'weekend'; readonly week: number }

export interface FoundRelative {
  readonly time: RelativeTime
  /** Start and end in the text, UTF-16 units. */
  readonly start: number
  readonly end: number
}

interface Form {
  readonly pattern: RegExp
  read(match: RegExpMatchArray): RelativeTime | undefined
}

const at = (unit: TimeUnit, offset: number): RelativeTime => ({ unit, first: offset, last: offset })
const day =
  (offset: number): (() => RelativeTime) =>
  () =>
    at('day', offset)

/** So many units ago. */
function ago(number: string | undefined, unit: TimeUnit): RelativeTime | undefined {
  const n = smallNumber(number ?? '')
  return n === undefined || n > 1_000 ? undefined : at(unit, -n)
}

/** The last so many units, today included: whole days, as a week of the calendar is hardly meant. */
function lately(number: string | undefined, unit: TimeUnit): RelativeTime | undefined {
  const n = smallNumber(number ?? '')
  if (n === undefined || n > 1_000) return undefined
  return unit === 'week' ? { unit: 'day', first: -7 * n, last: 0 } : { unit, first: -n, last: 0 }
}

const UNITS: Readonly<Record<string, TimeUnit>> = {
  day: 'day',
  天: 'day',
  日: 'day',
  week: 'week',
  周: 'week',
  星期: 'week',
  礼拜: 'week',
  month: 'month',
  月: 'month',
  year: 'year',
  年: 'year',
}
const unitOf = (word = ''): TimeUnit => UNITS[word.toLowerCase()] ?? 'day'

const ENGLISH_DAYS = 'mon tue wed thu fri sat sun'.split(' ')
const HAN_DAYS = '一二三四五六日'
const weekdayOf = (word = ''): number =>
  1 + Math.max(HAN_DAYS.indexOf(word.replace('天', '日')), ENGLISH_DAYS.indexOf(word.slice(0, 3).toLowerCase()))

function hanWeek(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  return word.startsWith('上') ? -word.replace('个', '').length : 0
}

const N = '(a|an|a couple of|\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)'
const HAN_N = `(\\d{1,3}|${HAN_NUMBER})`
const WEEK = '(?:周|星期|礼拜)'
const FEW: RelativeTime = { unit: 'day', first: -7, last: 0 }

// Ordered: a longer form comes before one that it contains, and claims its place in the text.
const FORMS: readonly Form[] = [
  { pattern: /\b(?:the )?day before yesterday\b/giu, read: day(-2) },
  { pattern: /\byesterday\b|\blast night\b/giu, read: day(-1) },
  { pattern: /\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bearlier today\b/giu, read: day(0) },
  { pattern: new RegExp(`\\b${N} (day|week|month|year)s? ago\\b`, 'giu'), read: m => ago(m[1], unitOf(m[2])) },
  {
    pattern: new RegExp(`\\b(?:last|past|previous) ${N} (day|week|month|year)s?\\b`, 'giu'),
    read: m => lately(m[1], unitOf(m[2])),
  },
  { pattern: /\b(?:a few|some|several) days ago\b|\bthe other day\b|\brecently\b|\blately\b/giu, read: () => FEW },
  {
    pattern: /\b(last|past|previous|this) weekend\b/giu,
    read: m => ({ unit: 'weekend', week: m[1]?.toLowerCase() === 'this' ? 0 : -1 }),
  },
  {
    pattern: /\b(last|previous|this) (week|month|year)\b/giu,
    read: m => at(unitOf(m[2]), m[1]?.toLowerCase() === 'this' ? 0 : -1),
  },
  {
    pattern: /\b(?:(last|past|previous|this|on) )?(mon|tues|wednes|thurs|fri|satur|sun)day\b/giu,
    read: m => {
      const weekday = weekdayOf(m[2])
      const word = m[1]?.toLowerCase() ?? 'on'
      if (word === 'this') return { unit: 'weekday', weekday, week: 0 }
      return { unit: 'weekday', weekday, ...(word !== 'on' && { before: true }) }
    },
  },
  { pattern: /大前天/gu, read: day(-3) },
  { pattern: /前[天日]/gu, read: day(-2) },
  { pattern: /昨[天日晚]|昨儿/gu, read: day(-1) },
  { pattern: /今[天日早晚]|今儿|刚才|刚刚/gu, read: day(0) },
  { pattern: new RegExp(`${HAN_N}(天|日)(?:之|以)?前`, 'gu'), read: m => ago(m[1], 'day') },
  { pattern: new RegExp(`${HAN_N}个?(周|星期|礼拜)(?:之|以)?前`, 'gu'), read: m => ago(m[1], 'week') },
  { pattern: new RegExp(`${HAN_N}个月(?:之|以)?前`, 'gu'), read: m => ago(m[1], 'month') },
  { pattern: new RegExp(`${HAN_N}年(?:之|以)?前`, 'gu'), read: m => ago(m[1], 'year') },
  {
    pattern: new RegExp(`(?:最近|过去|近)的?${HAN_N}个?(天|周|星期|礼拜|月|年)`, 'gu'),
    read: m => lately(m[1], unitOf(m[2])),
  },
  { pattern: new RegExp(`(上+|这|本)个?${WEEK}末`, 'gu'), read: m => ({ unit: 'weekend', week: hanWeek(m[1]) ?? 0 }) },
  {
    pattern: new RegExp(`(上+|这|本)个?${WEEK}([一二三四五六日天])`, 'gu'),
    read: m => ({ unit: 'weekday', weekday: weekdayOf(m[2]), week: hanWeek(m[1]) ?? 0 }),
  },
  { pattern: new RegExp(`(上+|这|本)个?${WEEK}`, 'gu'), read: m => at('week', hanWeek(m[1]) ?? 0) },
  { pattern: /周末/gu, read: () => ({ unit: 'weekend', week: -1 }) },
  {
    pattern: new RegExp(`${WEEK}([一二三四五六日天])`, 'gu'),
    read: m => ({ unit: 'weekday', weekday: weekdayOf(m[1]) }),
  },
  { pattern: /(上+|这个|本)个?月/gu, read: m => at('month', m[1]?.startsWith('上') ? -m[1].length : 0) },
  { pattern: /(去|前|今)年/gu, read: m => at('year', m[1] === '去' ? -1 : m[1] === '前' ? -2 : 0) },
  { pattern: /[前这]几[天日]|[几数]天(?:之|以)?前|最近|近来|近日/gu, read: () => FEW },
]

const MAX_TIMES = 8

/** Every relative time a (normalised, simplified) question names; readings that overlap each other or `taken` are dropped. */
export function relativeTimesOf(text: string, taken: readonly { start: number; end: number }[]): FoundRelative[] {
  const found: FoundRelative[] = []
  for (const { pattern, read } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const time = read(match)
      const [start, end] = [match.index, match.index + match[0].length]
      if (time === undefined || [...found, ...taken].some(other => start < other.end && other.start < end)) continue
      found.push({ time, start, end })
      if (found.length >= MAX_TIMES) return found
    }
  }
  return found
}
