import { describe, expect, it } from 'vitest'
import { type Ask, distilByModel, MAX_DISTILLED, type Passage } from '../../../src/commands/distill/index.ts'
import { DEVELOPMENT_CHINESE, DEVELOPMENT_ENGLISH } from '../../fixtures/distill/development.ts'

const SENTENCE = 'The nightly report goes to Dana in finance.'
const PASSAGES: readonly Passage[] = [
  { role: 'user', text: `${SENTENCE} Is it Dana?` },
  { role: 'tool', text: 'The archive keeps ninety days.' },
]
const FACT = { subject: 'nightly report', dim: 'recipient', value: 'Dana', sentence: SENTENCE }
const live = () => new AbortController().signal
const replying = (reply: unknown) => distilByModel(() => Promise.resolve(reply as string), PASSAGES, live())

describe('a model', () => {
  it.each([
    ['an object', JSON.stringify({ facts: [FACT] })],
    ['a list', JSON.stringify([FACT])],
    ['a fence', `\`\`\`json\n${JSON.stringify({ facts: [FACT] })}\n\`\`\``],
    ['talk around it', `Sure!\n${JSON.stringify({ facts: [FACT] })}\nAnything else?`],
    ['the same fact twice', JSON.stringify({ facts: [FACT, FACT, { ...FACT, value: 'Dora' }] })],
  ])('may reply with %s', async (_, reply) => {
    expect((await replying(reply)).map(({ value }) => value)).toEqual(['Dana'])
  })

  it.each([
    ['nothing', ''],
    ['garbage', '{]}}{[ not json'],
    ['prose', 'There are no facts.'],
    ['half an object', '{"facts":[{"subject":"nightly report"'],
    ['other shapes', '{"facts":{"a":1}}'],
    ['facts that are none', '{"facts":[null,1,"x",[],{}]}'],
    ['a number', '7'],
    ['a huge reply', `{"facts":[${'0,'.repeat(2_000_000)}0]}`],
    ['deep nesting', '['.repeat(60_000)],
    ['no text at all', undefined],
    ['an object that is no text', { facts: [FACT] }],
  ])('that replies with %s gives nothing', async (_, reply) => {
    expect(await replying(reply)).toEqual([])
  })

  it('cannot invent: of values, subjects and sentences that were not said none gets through', async () => {
    const sets = [...DEVELOPMENT_ENGLISH, ...DEVELOPMENT_CHINESE]
    for (const { role, text } of sets) {
      const invented = [
        { subject: 'billing', dim: 'port', value: '6543', sentence: text },
        { subject: 'mainframe', dim: 'owner', value: '8443', sentence: text },
        { subject: 'billing', dim: 'port', value: '844', sentence: text },
        { subject: 'billing', value: '6543', sentence: 'The billing port is 6543.' },
        { subject: '大型机', value: '六千', sentence: text },
      ]
      expect(await distilByModel(async () => JSON.stringify({ facts: invented }), [{ role, text }], live())).toEqual([])
    }
  })

  it('cannot turn what is no statement into one', async () => {
    const claim: Ask = async prompt => {
      expect(prompt).not.toContain('8443')
      return JSON.stringify({ facts: [{ subject: 'billing', value: '8443', sentence: 'Is the billing port 8443?' }] })
    }
    const passages: Passage[] = [{ role: 'user', text: `Is the billing port 8443? ${SENTENCE}` }]
    expect(await distilByModel(claim, passages, live())).toEqual([])
  })

  it('is asked about definite sentences only, as data, and not at all without any', async () => {
    const prompts: string[] = []
    const ask: Ask = async prompt => {
      prompts.push(prompt)
      return '{}'
    }
    await distilByModel(ask, PASSAGES, live())
    await distilByModel(
      ask,
      [
        { role: 'user', text: 'Is it Dana? Please stop.' },
        { role: 'tool', text: SENTENCE },
      ],
      live(),
    )
    expect(prompts).toHaveLength(1)
    expect(prompts[0]?.endsWith(JSON.stringify([SENTENCE]))).toBe(true)
  })

  it('gives a bounded number, from a bounded question', async () => {
    const sentences = Array.from({ length: 2_000 }, (_, at) => `Report number${at} goes to Dana${at}.`)
    let asked = 0
    const ask: Ask = async prompt => {
      asked = prompt.length
      return JSON.stringify({
        facts: sentences.slice(0, 60).map((sentence, at) => ({ subject: `number${at}`, value: `Dana${at}`, sentence })),
      })
    }
    expect(await distilByModel(ask, [{ role: 'user', text: sentences.join('\n') }], live())).toHaveLength(MAX_DISTILLED)
    expect(asked).toBeLessThan(25_000)
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
  ])('that %s gives nothing', async (_, ask) => {
    expect(await distilByModel(ask, PASSAGES, live())).toEqual([])
  })

  it('is left when the signal is aborted, even if it never ends', async () => {
    const abort = new AbortController()
    const waiting = distilByModel(() => new Promise(() => {}), PASSAGES, abort.signal)
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    let asked = false
    const ask: Ask = async () => {
      asked = true
      return ''
    }
    await expect(distilByModel(ask, PASSAGES, abort.signal)).rejects.toThrow('enough')
    expect(asked).toBe(false)
  })
})
