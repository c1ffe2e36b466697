import { expect, it } from 'vitest'
import { shownTime } from '../../src/readmodels/index.ts'

it('a time is shown in a form that stays true', () => {
  expect(shownTime(Date.UTC(2026, 10, 30, 21, 15))).toBe('2026-11-30 21:15 UTC')
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) expect(shownTime(time)).toBe('unknown time')
})
