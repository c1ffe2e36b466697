import { describe, expect, it } from 'vitest'
import { distilTurn, MAX_DISTILLED, verbatimGate } from '../../../src/commands/distill/index.ts'

const SIZE = 1_000_000
/** Generous for a slow, busy machine; a pattern that is not linear takes minutes. */
const MAX_MS = 10_000

/** Beginnings without ends, and what rules begin with. */
const SEEDS = [
  ...[
    'a',
    'a ',
    'the ',
    'The port of ',
    'we moved ',
    'from ',
    'to ',
    'is ',
    "'s ",
    'Alice and ',
    'Jan 1, ',
    'us-',
    'a-1-',
    'not a, ',
  ],
  ...['的', '端口', '把', '从', '由', '负责', '王', '已', '当', '请', '不是', '，不是', '每分钟 1 ', 'x 端口从'],
  ...[
    '`',
    '"',
    '“',
    '```\n',
    '\n',
    '- a\n',
    'a,\n',
    '> ',
    '. ',
    '.',
    ',',
    ':',
    '0:',
    '?',
    '。',
    '/',
    '\\',
    '@',
    '://',
    '{',
    '-',
    '1,',
  ],
  ...[
    'billing port is 8443. ',
    'billing 的端口是 8443。',
    'x port is ',
    '[redacted:',
    'e\u0301',
    '\ud800',
    '\ue000',
    '\u0000',
  ],
]
/** As one line, in sentences and in lines just short enough to be read. */
const WRAPS: readonly (readonly [string, (text: string) => string])[] = [
  ['one line', text => text],
  ['sentences', text => text.replace(/[\s\S]{130}/g, '$&. ')],
  ['lines', text => text.replace(/[\s\S]{130}/g, '$&\n')],
]

describe('a megabyte', () => {
  it.each(WRAPS)('of anything, as %s, is over in bounded time', (_, wrap) => {
    for (const seed of SEEDS) {
      const text = wrap(seed.repeat(Math.ceil(SIZE / seed.length)).slice(0, SIZE))
      const start = performance.now()
      expect(distilTurn([{ role: 'user', text }]).length).toBeLessThanOrEqual(MAX_DISTILLED)
      expect(performance.now() - start, JSON.stringify(seed)).toBeLessThan(MAX_MS)
    }
  })

  it('of it does not hide what is said before, and does not stop the gate', () => {
    const sentence = 'The billing port is 8443.'
    const passages = [{ role: 'user' as const, text: `${sentence}\n${'的'.repeat(SIZE)}` }]
    expect(distilTurn(passages).map(({ text }) => text)).toEqual(['billing|port=8443'])
    expect(verbatimGate({ subject: 'billing', value: '8443', sentence }, passages)?.text).toBe('billing|port=8443')
  })

  it('of facts gives as many as there may be', () => {
    const text = Array.from({ length: 30_000 }, (_, at) => `The port of node-${at} is ${at % 60_000}.`).join('\n')
    expect(distilTurn([{ role: 'assistant', text }])).toHaveLength(MAX_DISTILLED)
  })
})
