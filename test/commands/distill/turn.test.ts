import { describe, expect, it } from 'vitest'
import { distilTurn, MAX_DISTILLED, type Passage } from '../../../src/commands/distill/index.ts'

const user = (text: string): Passage => ({ role: 'user', text })
const assistant = (text: string): Passage => ({ role: 'assistant', text })
const texts = (...passages: Passage[]) => distilTurn(passages).map(({ text }) => text)

describe('the text of a statement', () => {
  it('is a fact where the dimension is known, with the sentence it came from', () => {
    expect(
      distilTurn([assistant('Hello.'), user('Thanks! The staging port of billing is `8443`. More later.')]),
    ).toEqual([
      {
        text: 'billing|staging port=8443',
        subject: 'billing',
        dim: 'staging port',
        value: '8443',
        sentence: 'The staging port of billing is `8443`.',
        passage: 1,
      },
    ])
  })

  it('is the sentence where it is not', () => {
    expect(distilTurn([user('We moved the runbooks to Notion.')])).toEqual([
      {
        text: 'We moved the runbooks to Notion.',
        subject: 'runbooks',
        value: 'Notion',
        sentence: 'We moved the runbooks to Notion.',
        passage: 0,
      },
    ])
  })

  it.each([
    'The billing port is 8443 in staging.',
    'In production, the billing port is 8443.',
    'The billing port is 8443, but only in staging.',
    '生产环境里，billing 的端口是 8443。',
  ])('is the sentence where the fact would lose what narrows it: %s', text => {
    expect(texts(user(text))).toEqual([text])
  })

  it('names one dimension alike in both languages', () => {
    expect(texts(user('billing 的端口号是 8443。'))).toEqual(texts(user('The port number of billing is 8443.')))
  })

  it('is NFC', () => {
    const [found] = distilTurn([user('The cafe\u0301 port is 8443.')])
    expect(found).toMatchObject({ subject: 'caf\u00e9', text: 'caf\u00e9|port=8443' })
  })
})

describe('whose word counts', () => {
  it('nothing that a tool printed', () => {
    expect(texts({ role: 'tool', text: 'The billing port is 8443.' })).toEqual([])
  })

  it('the later of two values', () => {
    expect(texts(user('The billing port is 8443.'), user('The billing port is 9090.'))).toEqual(['billing|port=9090'])
  })

  it("the user's, against the assistant's", () => {
    const [said, other] = [user('The billing port is 8443.'), assistant('The billing port is 8080.')]
    expect(texts(said, other)).toEqual(['billing|port=8443'])
    expect(texts(other, said)).toEqual(['billing|port=8443'])
  })

  it("the assistant's, if it tells of a change after that", () => {
    const [said, changed] = [user('The billing port is 8443.'), assistant('The billing port is now 9090.')]
    expect(texts(said, changed)).toEqual(['billing|port=9090'])
    expect(texts(changed, said)).toEqual(['billing|port=8443'])
  })

  it('of the assistant only what has a dimension', () => {
    expect(texts(assistant('We moved the runbooks to Notion.'))).toEqual([])
    expect(texts(assistant('The billing port is 8443.'))).toEqual(['billing|port=8443'])
  })

  it("the user's first, when there are too many", () => {
    const many = Array.from({ length: 40 }, (_, at) => `The port of node-${at} is ${7000 + at}.`).join(' ')
    const found = texts(assistant(many), user('The billing port is 8443.'))
    expect(found).toHaveLength(MAX_DISTILLED)
    expect(found[0]).toBe('billing|port=8443')
  })
})

describe('lines', () => {
  it.each([
    ['that go on are one sentence', 'If TLS is on,\nthe billing port is 8443.', []],
    [
      'of a list are read',
      'Notes:\n- The billing port is 8443.\n2. The proxy port is 9090.',
      ['billing|port=8443', 'proxy|port=9090'],
    ],
    ['of a fence that is never closed are code', '```\ncode\nThe billing port is 8443.', []],
    ['behind a fence are prose again', '```\nx\n```\nThe billing port is 8443.', ['billing|port=8443']],
    ['with a redacted value are left out', 'The billing port is [redacted:password].', []],
  ])('%s', (_, text, expected) => {
    expect(texts(user(text))).toEqual(expected)
  })
})
