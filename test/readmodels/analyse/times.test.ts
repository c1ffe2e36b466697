import { describe, expect, it } from 'vitest'
import { hanYear, smallNumber } from '../../../src/readmodels/analyse/numerals.ts'
import { timesOf } from '../../../src/readmodels/analyse/times.ts'

describe('small numbers in words', () => {
  it.each([
    ['三', 3],
    ['两', 2],
    ['十', 10],
    ['十二', 12],
    ['二十', 20],
    ['三十一', 31],
    ['廿一', 21],
    ['seven', 7],
    ['a', 1],
    ['07', 7],
    ['二三', undefined],
    ['many', undefined],
    ['', undefined],
  ])('%s', (text, number) => expect(smallNumber(text)).toBe(number))
  it.each([
    ['二〇二四', 2024],
    ['一九九八', 1998],
    ['二零二四', 2024],
    ['二十', undefined],
  ])('year %s', (text, year) => expect(hanYear(text)).toBe(year))
})

describe('when a question is about', () => {
  it.each([
    ['what happened on 2024-05-03', [{ kind: 'date', date: { year: 2024, month: 5, day: 3 } }], ''],
    ['二〇二四年五月三日发生了什么', [{ kind: 'date', date: { year: 2024, month: 5, day: 3 } }], ''],
    ['十二月三十一号', [{ kind: 'date', date: { month: 12, day: 31 } }], ''],
    ['上上周五', [{ kind: 'relative', time: { unit: 'weekday', weekday: 5, week: -2 } }], ''],
    ['周末聊了啥', [{ kind: 'relative', time: { unit: 'weekend', week: -1 } }], ''],
    ['三个月前', [{ kind: 'relative', time: { unit: 'month', first: -3, last: -3 } }], ''],
    ['a couple of weeks ago', [{ kind: 'relative', time: { unit: 'week', first: -2, last: -2 } }], ''],
    ['the last three weeks', [{ kind: 'relative', time: { unit: 'day', first: -21, last: 0 } }], ''],
    ['last Tuesday', [{ kind: 'relative', time: { unit: 'weekday', weekday: 2, before: true } }], ''],
    ['what did Ann say yesterday', [{ kind: 'relative', time: { unit: 'day', first: -1, last: -1 } }], 'ann'],
    ['昨天的部署方案', [{ kind: 'relative', time: { unit: 'day', first: -1, last: -1 } }], '部署方案'],
    [
      'from 1 May 2024 to 5 May 2024',
      [{ kind: 'between', from: { year: 2024, month: 5, day: 1 }, to: { year: 2024, month: 5, day: 5 } }],
      '',
    ],
  ])('%s', (text, asked, rest) => expect(timesOf(text)).toMatchObject({ asked, rest }))

  it.each(['may I march in?', '五月天的歌', '二三月', '一个月的房租', '第三天线', 'sundae school'])(
    '%s names no time',
    text => expect(timesOf(text).asked).toEqual([]),
  )
  it.each(['8 May and 9 May 2024', '5月8日和5月9日'])('%s are two days', text =>
    expect(timesOf(text).asked.map(one => one.kind)).toEqual(['date', 'date']),
  )
})
