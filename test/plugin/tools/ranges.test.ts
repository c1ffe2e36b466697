import { describe, expect, it } from 'vitest'
import { between } from '../../../src/plugin/tools/ranges.ts'

const HOUR = 3_600_000

describe('days and times to ask for', () => {
  it('a day is all of it, in UTC', () => {
    const { from = 0, to = 0 } = between('2026-11-30', '2026-11-30')
    expect(new Date(from).toISOString()).toBe('2026-11-30T00:00:00.000Z')
    expect(to - from).toBe(24 * HOUR - 1)
  })

  it('a time of day is in UTC unless it says otherwise, whatever the zone of the machine', () => {
    const { from = 0 } = between('2026-11-30T10:00', undefined)
    expect(from).toBe(Date.UTC(2026, 10, 30, 10))
    expect(between('2026-11-30T10:00+08:00', undefined).from).toBe(from - 8 * HOUR)
    expect(between('2026-11-30T10:00:00.5Z', undefined).from).toBe(from + 500)
  })

  it('neither is no filter', () => {
    expect(between(undefined, undefined)).toEqual({})
  })

  it.each(['', '30.11.2026', '2026-11-31T25:00', '2026', '1764500000000', '2026-11-30 10:00', '昨天'])(
    'refuses %j',
    text => {
      expect(() => between(text, undefined)).toThrow('since must be')
      expect(() => between(undefined, text)).toThrow('until must be')
    },
  )
})
