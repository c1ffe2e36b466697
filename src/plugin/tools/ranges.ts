import { ToolArgsError } from '@deepseek-ai/dsh-tools'

/** Whole numbers that a parameter takes. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** The number, where it is one the parameter takes: another would be done as something else than was asked. */
export function inRange(name: string, value: number, { least, most }: Range): number {
  if (value >= least && value <= most) return value
  throw new ToolArgsError([`${name} must be a whole number from ${least} to ${most}, not ${value}`])
}

/** A day, or a time of day in UTC or with an offset, as ISO 8601 has them. */
const WHEN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/
const DAY_MS = 86_400_000

/**
 * Filters for what was said from `since` on and up to `until`, both included: a day as its first and its last
 * millisecond in UTC. Throws `ToolArgsError` for what is neither a day nor a time.
 */
export function between(since: string | undefined, until: string | undefined): { from?: number; to?: number } {
  const from = since === undefined ? undefined : timeOf('since', since)
  const to = until === undefined ? undefined : timeOf('until', until) + (until.includes('T') ? 0 : DAY_MS - 1)
  if (from !== undefined && to !== undefined && from > to) {
    throw new ToolArgsError([`since, ${since}, is after until, ${until}`])
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function timeOf(name: string, text: string): number {
  // Without an offset a time of day would be read in the zone of this machine.
  const zoned = text.includes('T') && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text
  const time = WHEN.test(text) ? Date.parse(zoned) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new ToolArgsError([
    `${name} must be a day such as 2026-11-30, or a time such as 2026-11-30T21:15Z, not ${JSON.stringify(text.slice(0, 40))}`,
  ])
}

/** Parameters that `between` takes. */
export const BETWEEN = {
  since: {
    type: 'string',
    description:
      'Only what was said on this day (YYYY-MM-DD, UTC) or later; a time such as 2026-11-30T21:15Z is taken too.',
  },
  until: { type: 'string', description: 'Only what was said on this day or earlier, likewise.' },
} as const
