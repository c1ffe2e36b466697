import { describe, expect, it } from 'vitest'
import { analyseQuery } from '../../../src/readmodels/analyse/index.ts'

const tokens = (text: string): string[] => analyseQuery(text).terms.map(term => term.token)
const weight = (text: string, token: string): number =>
  analyseQuery(text).terms.find(term => term.token === token)?.weight ?? 0

describe('what a question looks up', () => {
  it('cuts function words of both languages', () => {
    expect(tokens('what is the port of the gateway?')).toEqual(['port', 'gatewai'])
    expect(tokens('网关的端口是什么？')).not.toContain('什么')
    expect(tokens('部署在什么时候？')).not.toContain('时候')
  })

  it('looks function words up when there is nothing else', () => {
    expect(tokens('who are you')).not.toEqual([])
    expect(tokens('那个')).not.toEqual([])
  })

  it.each(['', '   ', '*', '?!', '"', '\u0000', '…'])('finds %j empty', text => {
    expect(analyseQuery(text).empty).toBe(true)
  })

  it('weighs repetition, and the last sentences of a passage', () => {
    expect(weight('kite', 'kite')).toBe(1)
    expect(weight('kite and kite', 'kite')).toBeCloseTo(1 + Math.log(2))
    const passage = 'I saw a dog. It was late. We went home. The kite flew.'
    expect(weight(passage, 'kite')).toBeGreaterThan(weight(passage, 'dog'))
  })

  it('reads a very long question at its beginning and its end, and bounds its terms', () => {
    const long = `first ${'x1y '.repeat(400_000)} final`
    expect(tokens(long)).toEqual(expect.arrayContaining(['first', 'final']))
    expect(tokens(Array.from({ length: 5_000 }, (_, i) => `w${i}`).join(' ')).length).toBe(256)
  })
})

describe('dates in questions', () => {
  it.each([
    ['What did Sam cook on 18 August, 2023?', { year: 2023, month: 8, day: 18 }],
    ['what happened on August 3, 2023', { year: 2023, month: 8, day: 3 }],
    ['in July 2022', { year: 2022, month: 7 }],
    ['gone to the beach in 2023?', { year: 2023 }],
    ['on December 1,2023', { year: 2023, month: 12, day: 1 }],
    ['2023-05-17 的部署', { year: 2023, month: 5, day: 17 }],
    ['2023年5月17日发生了什么', { year: 2023, month: 5, day: 17 }],
    ['５月１７号', { month: 5, day: 17 }],
    ['去年是2022年吗', { year: 2022 }],
  ])('%s', (text, date) => {
    expect(analyseQuery(text).dates).toEqual([date])
  })

  it.each(['port 2022', 'may I ask', 'march on', '10.12.2023.5', '99 bottles'])('%s names none', text => {
    expect(analyseQuery(text).dates).toEqual([])
  })

  it('takes no symbol from a date in words', () => {
    expect(analyseQuery('what happened on 18 August 2023').symbols).toEqual([])
    expect(analyseQuery('2009年5月发生什么').symbols).toEqual([])
  })
})

describe('signs', () => {
  it.each(['When did she leave?', 'what year was it', '他什么时候去的', '哪天出发', '會議在何時'])(
    '%s asks when',
    text => {
      expect(analyseQuery(text).asksWhen).toBe(true)
    },
  )
  it.each(['那个端口', '上次说的', 'what about that one', 'is it 9999', 'the earlier plan'])('%s points back', text => {
    expect(analyseQuery(text).pointsBack).toBe(true)
  })
  it.each(['QQQQ-THIS-TOKEN-7731', 'port 9999', 'with italics', '端口9999'])('%s does not', text => {
    expect(analyseQuery(text).pointsBack).toBe(false)
  })
})
