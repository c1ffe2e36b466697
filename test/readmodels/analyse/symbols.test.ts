import { describe, expect, it } from 'vitest'
import { normaliseForms, symbolKind, symbolsOf } from '../../../src/readmodels/analyse/index.ts'

const whole = (text: string): string[] =>
  symbolsOf(normaliseForms(text))
    .filter(symbol => symbol.level === 2)
    .map(symbol => symbol.text)
const parts = (text: string): string[] =>
  symbolsOf(normaliseForms(text))
    .filter(symbol => symbol.level === 1)
    .map(symbol => symbol.text)

describe('symbols as written', () => {
  it.each([
    ['port 8021', '8021'],
    ['host is 10.0.0.5.', '10.0.0.5'],
    ['at 10.0.0.5:8443!', '10.0.0.5:8443'],
    ['版本ｖ２．３', 'v2.3'],
    ['端口为１３０１０，', '13010'],
    ['on 2024-05-17,', '2024-05-17'],
    ['id 3f2a0c11-0000-4000-8000-0000000000aa', '3f2a0c11-0000-4000-8000-0000000000aa'],
    ['temp is -5 C', '-5'],
    ['mac aa:bb:cc:dd:ee:ff', 'aa:bb:cc:dd:ee:ff'],
    ['commit 9fceb02d0ae598e95dc970b74767f19372d61af8', '9fceb02d0ae598e95dc970b74767f19372d61af8'],
    ['uses node:sqlite today', 'node:sqlite'],
    ['call foo.bar() now', 'foo.bar'],
    ['std::vector', 'std::vector'],
    ['mail a@b.co', 'a@b.co'],
    ['see /etc/hosts.allow', '/etc/hosts.allow'],
    ['at https://h.example:8443/a/b.html?x=1', 'https://h.example:8443/a/b.html?x=1'],
    ['call +1 (555) 123-4567', '15551234567'],
    ['电话138 0013 8000', '13800138000'],
    ['ERR_TIMEOUT', 'ERR_TIMEOUT'],
    ['重跑build-7后', 'build-7'],
    ['rate is 100% now', '100%'],
    ['costs $350,000', '350000'],
  ])('%s → %s', (text, symbol) => {
    expect(whole(text)).toContain(symbol)
  })

  it.each([
    'a',
    '3',
    '有3个服务',
    'plain words here',
    'p.m. and U.S.',
    'I went home.Then I slept',
    'utf8 and qwen3',
    "don't",
  ])('%s holds none', text => {
    expect(whole(text).filter(symbol => symbolKind(symbol) !== 'compound')).toEqual([])
  })

  it('keeps letter case', () => {
    expect(whole('Err_Timeout')).toEqual(['Err_Timeout'])
  })

  it.each(['alpha-compose', 'GB/s', '18th-century', 'self-care'])('%s is a compound that prose writes too', text => {
    expect(symbolKind(text)).toBe('compound')
  })
})

describe('parts of symbols', () => {
  it.each([
    ['10.0.0.5:8443', ['10.0.0.5', '8443']],
    ['port=8080', ['8080']],
    ['https://h.example:8443/a/b.html', ['h.example', '8443', 'b.html']],
    ['src/a/main.ts:120', ['main.ts', '120']],
    ['a@b.co', ['b.co']],
    ['v2.3', ['2.3']],
    ['100%', ['100']],
    ['#4711', ['4711']],
  ])('%s holds %j', (text, expected) => {
    expect([...parts(text), ...whole(text)]).toEqual(expect.arrayContaining(expected))
  })

  it('gives no part to dotted numbers', () => {
    expect(parts('10.0.0.55')).toEqual([])
    expect(parts('1.2.30')).toEqual([])
  })
})
