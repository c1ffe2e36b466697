import { describe, expect, it } from 'vitest'
import { type Passage, verbatimGate } from '../../../src/commands/distill/index.ts'

const PASSAGES: readonly Passage[] = [
  {
    role: 'user',
    text: 'Hi. The nightly report goes to Dana in finance. If it breaks, page Omar. The api-gateway port is 8443.5.',
  },
  { role: 'tool', text: 'The archive keeps ninety days.' },
  {
    role: 'assistant',
    text: '夜间报表发给财务部的丹娜。The staging port of billing is 8443. The relay is Kestrel, not Falcon.',
  },
  {
    role: 'user',
    text: 'The banner "billing port is 7777" is printed by Kestrel. Her password is swordfish for billing.',
  },
]
const report = { subject: 'nightly report', value: 'Dana', sentence: 'The nightly report goes to Dana in finance.' }
const gate = (candidate: unknown) => verbatimGate(candidate, PASSAGES)

describe('the gate', () => {
  it('keeps the sentence of what the rules do not read', () => {
    expect(gate({ ...report, dim: 'recipient' })).toEqual({ ...report, text: report.sentence, passage: 0 })
    expect(gate({ subject: '夜间报表', value: '财务部', sentence: '夜间报表发给财务部的丹娜' })?.text).toBe(
      '夜间报表发给财务部的丹娜。',
    )
  })

  it('gives the fact form where the rules read the same, whatever dimension was proposed', () => {
    const proposal = { subject: 'billing', value: '8443', sentence: 'The staging port of billing is 8443.' }
    for (const dim of [undefined, 'budget', 'port']) {
      expect(gate(dim === undefined ? proposal : { ...proposal, dim })).toMatchObject({
        text: 'billing|staging port=8443',
        passage: 2,
      })
    }
  })

  it.each([
    ['a value that is not there', { ...report, value: 'Dora' }],
    ['a part of a word', { ...report, value: 'Dan' }],
    ['a part of a name', { subject: 'gateway', value: '8443.5', sentence: 'The api-gateway port is 8443.5.' }],
    ['a part of a number', { subject: 'api-gateway', value: '8443', sentence: 'The api-gateway port is 8443.5.' }],
    ['another case', { ...report, value: 'dana' }],
    ['a subject that is not there', { ...report, subject: 'weekly report' }],
    ['a pronoun', { subject: 'it', value: 'Omar', sentence: 'If it breaks, page Omar.' }],
    ['a condition', { subject: 'page', value: 'Omar', sentence: 'If it breaks, page Omar.' }],
    ['subject and value in one another', { ...report, subject: 'nightly report', value: 'report' }],
    ['two sentences', { ...report, value: 'Omar' }],
    ['a sentence that nobody said', { ...report, sentence: 'The nightly report goes to Dana.' }],
    ['two sentences as one', { ...report, sentence: 'Hi. The nightly report goes to Dana in finance.' }],
    ['what a tool printed', { subject: 'archive', value: 'ninety days', sentence: 'The archive keeps ninety days.' }],
    ['what a correction denies', { subject: 'relay', value: 'Falcon', sentence: 'The relay is Kestrel, not Falcon.' }],
    ['a secret', { subject: 'billing', value: 'swordfish', sentence: 'Her password is swordfish for billing.' }],
    [
      'what is said inside a quotation',
      { subject: 'billing', value: '7777', sentence: 'The banner "billing port is 7777" is printed by Kestrel.' },
    ],
    ['a value of signs only', { ...report, value: '.' }],
    ['one key too many', { ...report, id: 1 }],
    ['a missing key', { subject: 'nightly report', value: 'Dana' }],
    ['an empty value', { ...report, value: '' }],
    ['a number for a text', { ...report, value: 7 }],
    ['a huge value', { ...report, value: 'Dana'.repeat(1000) }],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'nightly report'],
    ['a list', [report]],
  ])('refuses %s', (_, candidate) => {
    expect(gate(candidate)).toBeUndefined()
  })

  it('takes what holds of a correction', () => {
    expect(gate({ subject: 'relay', value: 'Kestrel', sentence: 'The relay is Kestrel, not Falcon.' })?.value).toBe(
      'Kestrel',
    )
  })

  it('takes a quoted span as a whole', () => {
    const passages: Passage[] = [{ role: 'user', text: 'The nightly report goes to "Dana Ruiz" in finance.' }]
    const sentence = 'The nightly report goes to "Dana Ruiz" in finance.'
    expect(verbatimGate({ subject: 'nightly report', value: 'Dana Ruiz', sentence }, passages)?.value).toBe('Dana Ruiz')
    expect(verbatimGate({ subject: 'nightly report', value: 'Ruiz', sentence }, passages)).toBeUndefined()
  })
})
