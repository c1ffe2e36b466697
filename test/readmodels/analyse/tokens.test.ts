import { describe, expect, it } from 'vitest'
import { analyseText } from '../../../src/readmodels/analyse/index.ts'

const tokens = (text: string): string[] => [...analyseText(text).terms.keys()]

describe('tokens of a stored text', () => {
  it('splits scripts that are glued together', () => {
    expect(tokens('重跑build-alpha后12条')).toEqual(
      expect.arrayContaining(['重跑', 'build', 'alpha', 'build_alpha', '12', '后', '条']),
    )
    expect(tokens('端口8443已改')).toEqual(expect.arrayContaining(['端口', '8443', '已改']))
  })

  it.each([
    ['went', 'going'],
    ['children', 'child'],
    ['colour', 'colors'],
    ['organised', 'organizing'],
    ['travelled', 'traveling'],
    ['theatres', 'theater'],
    ['mum', 'mother'],
    ['Ｐｏｒｔ', 'ports'],
    ["Caroline's", 'caroline'],
    ['café', 'cafe\u0301'],
    ['café', 'CAFE'],
  ])('%s meets %s', (one, other) => {
    expect(tokens(one)).toEqual(tokens(other))
  })

  it.each([
    ['GB/s', 'GBs'],
    ['surprise', 'surprize'],
    ['file_a', 'fileXa'],
    ['1.2.3', '1.2.30'],
    ['billing', 'billing2'],
    ['100%', '100'],
  ])('%s is not %s', (one, other) => {
    expect(tokens(one)).not.toEqual(tokens(other))
  })

  it('keeps dotted numbers whole and gives an address its host and port', () => {
    expect(tokens('10.0.0.5')).toEqual(['10_0_0_5'])
    expect(tokens('10.0.0.5:8080')).toEqual(['10_0_0_5', '8080', '10_0_0_5_8080'])
  })

  it('folds traditional and regional characters to simplified ones', () => {
    expect(tokens('資料庫連線裡')).toEqual(tokens('资料库连线里'))
    expect(tokens('綫')).toEqual(tokens('线'))
    expect(tokens('衞生間')).not.toEqual([])
  })

  it('covers kana, hangul, Thai and extension planes', () => {
    expect(tokens('サーバー')).toEqual(['サー', 'ーバ', 'バー'])
    expect(tokens('서버를')).toEqual(['서버', '버를'])
    expect(tokens('ภาษา').length).toBeGreaterThan(0)
    expect(tokens('𠮷野家')).toEqual(expect.arrayContaining(['𠮷', '𠮷野', '野家']))
  })

  it('makes every token one token of the table’s tokenizer', () => {
    for (const text of [
      "it's O'Brien’s ŉ",
      'a—b “c” d…',
      'x\u0000y',
      'ﬁne ½ ㎏ İstanbul',
      '\ud800 ok \udc00',
      'naïve_π-φ',
    ]) {
      for (const token of tokens(text)) expect(token).toMatch(/^[a-z0-9_\u0080-\u{10ffff}]+$/u)
    }
  })

  it('counts words and pairs as length, not compounds and single characters', () => {
    expect(analyseText('build-alpha runs').length).toBe(3)
    expect(analyseText('部署方案').length).toBe(3)
  })
})

describe('bounded and total', () => {
  const hostile = [
    'a'.repeat(2_000_000),
    'a.'.repeat(1_000_000),
    '在'.repeat(500_000),
    '1 '.repeat(1_000_000),
    '(1) '.repeat(500_000),
  ]
  it.each(hostile.map((text, i) => [i, text] as const))('hostile text %i takes no more than seconds', (_, text) => {
    const began = performance.now()
    const { terms, symbols } = analyseText(text)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(symbols.length).toBeLessThanOrEqual(4_000)
    for (const token of terms.keys()) expect(token.length).toBeLessThan(120)
  })
})
