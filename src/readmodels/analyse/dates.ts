/** Dates as a question writes them, and where they stand, so that their digits are not taken for numbers to look up. */

import { HAN_NUMBER, hanYear, smallNumber } from './numerals.ts'

/** A date as far as the text gives it: a year may lack its month, a month its year. Month 1–12, day 1–31. */
export interface NamedDate {
  readonly year?: number
  readonly month?: number
  readonly day?: number
}

export interface FoundDate {
  readonly date: NamedDate
  /** Start and end in the normalised text, UTF-16 units. */
  readonly start: number
  readonly end: number
}

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '((?:19|20)\\d\\d)'
/** `5`, `05`, `五`, `十二`; and `2024`, `二〇二四`. Not within a longer number. */
const HAN_PART = `(\\d{1,2}|${HAN_NUMBER})`
const HAN_YEAR = '(\\d{3,4}|[一二][〇○零一二三四五六七八九]{3})'
const ALONE = '(?<![\\d〇零一二两三四五六七八九十廿])'

interface Form {
  readonly pattern: RegExp
  /** Which groups hold year, month and day; 0 where there is none. */
  readonly groups: readonly [number, number, number]
}

// Ordered: a longer form comes before one that it contains, and claims its place in the text.
const FORMS: readonly Form[] = [
  { pattern: new RegExp(`\\b${YEAR}[-/.](\\d{1,2})[-/.](\\d{1,2})(?!\\d)`, 'gi'), groups: [1, 2, 3] },
  { pattern: new RegExp(`${ALONE}${HAN_YEAR} ?年 ?${HAN_PART} ?月份? ?${HAN_PART} ?[日号]`, 'gu'), groups: [1, 2, 3] },
  { pattern: new RegExp(`${ALONE}${HAN_YEAR} ?年 ?${HAN_PART} ?月`, 'gu'), groups: [1, 2, 0] },
  { pattern: new RegExp(`${ALONE}${HAN_PART} ?月份? ?${HAN_PART} ?[日号]`, 'gu'), groups: [0, 1, 2] },
  { pattern: new RegExp(`${ALONE}${HAN_YEAR} ?年(?!(?:之|以)?前)`, 'gu'), groups: [1, 0, 0] },
  { pattern: new RegExp(`${ALONE}${HAN_PART} ?月(?![\\d票卡天])`, 'gu'), groups: [0, 1, 0] },
  { pattern: new RegExp(`\\b${DAY} (?:of )?${MONTH},? ?${YEAR}\\b`, 'gi'), groups: [3, 2, 1] },
  { pattern: new RegExp(`\\b${MONTH} ${DAY},? ?${YEAR}\\b`, 'gi'), groups: [3, 1, 2] },
  { pattern: new RegExp(`\\b${MONTH},? ?${YEAR}\\b`, 'gi'), groups: [2, 1, 0] },
  { pattern: new RegExp(`\\b${DAY} (?:of )?${MONTH}(?![\\p{L}\\d])`, 'giu'), groups: [0, 2, 1] },
  { pattern: new RegExp(`\\b${MONTH} ${DAY}(?![\\p{L}\\d])`, 'giu'), groups: [0, 1, 2] },
  {
    pattern: new RegExp(
      `\\b(?:in|since|during|of|by|until|till|before|after|from|to|year|and|summer|winter|spring|fall|autumn) ${YEAR}\\b(?![.:/-]\\d)`,
      'gi',
    ),
    groups: [1, 0, 0],
  },
  // A bare month name needs a preposition: "may" is mostly a verb, "march" sometimes.
  {
    pattern: new RegExp(`\\b(?:in|during|since|until|by|early|late|mid|last|this|next) ${MONTH}(?![\\p{L}\\d])`, 'giu'),
    groups: [0, 1, 0],
  },
]

function part(match: RegExpMatchArray, group: number): number | undefined {
  const raw = group === 0 ? undefined : match[group]
  if (raw === undefined) return undefined
  const number = smallNumber(raw) ?? hanYear(raw)
  if (number !== undefined) return number
  const at = MONTH_NAMES.indexOf(raw.slice(0, 3).toLowerCase())
  return at < 0 ? undefined : at + 1
}

const MAX_DATES = 8

/** Every date a (normalised) question names, in the order of the forms above; overlapping readings are dropped. */
export function datesOf(text: string): FoundDate[] {
  const found: FoundDate[] = []
  for (const { pattern, groups } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      const [year, month, day] = [part(match, groups[0]), part(match, groups[1]), part(match, groups[2])]
      // A group that could not be read: `二三月` is no month.
      if ([year, month, day].some((field, i) => field === undefined && groups[i] !== 0)) continue
      if (month !== undefined && (month < 1 || month > 12)) continue
      if (day !== undefined && (day < 1 || day > 31)) continue
      if (found.some(other => start < other.end && other.start < end)) continue
      found.push({
        date: {
          ...(year !== undefined && { year }),
          ...(month !== undefined && { month }),
          ...(day !== undefined && { day }),
        },
        start,
        end,
      })
      if (found.length >= MAX_DATES) return found
    }
  }
  return found
}
