/** A page as text: in order, whole, with its time, and within its limit. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOut, type PagePart } from '../../../src/readmodels/index.ts'
import { runs } from '../../support/events.ts'

const part = (kind: PagePart['kind'], text: string, over: Partial<PagePart> = {}): PagePart => ({
  kind,
  text,
  tool: '',
  callId: '',
  failed: false,
  message: '',
  time: 1_772_357_400_000,
  ...over,
})
const page = (parts: readonly PagePart[]) => ({
  doc: 'doc_0123456789abcdef01234567',
  page: 1,
  pages: 3,
  parts,
  namespace: 'ns',
  title: 'Which port?',
  tags: [],
  session: 's1',
  turn: 4,
  archivedAt: 0,
  event: 'evt',
  ended: 'stopping',
})

const call = part('call', '{"command":"ls"}', { tool: 'bash', callId: 'c1' })

describe('a page as text', () => {
  it('reads like the conversation it was', () => {
    const parts = [
      part('user', 'which port?'),
      part('assistant', 'I look.'),
      call,
      part('result', 'port 8443', { tool: 'bash', callId: 'c1' }),
      part('call', '{}', { tool: 'web', callId: 'c2' }),
      part('result', 'timeout', { tool: 'web', callId: 'c2', failed: true }),
    ]
    expect(inOut(page(parts))).toBe(
      [
        '[2026-03-01 09:30 UTC, session s1, turn 4, page 2 of 3] Which port?',
        'user: which port?',
        'assistant: I look.',
        'call bash: {"command":"ls"}',
        'result: port 8443',
        'call web: {}',
        'result (failed): timeout',
      ].join('\n'),
    )
  })

  it('says of a call without a result that it was interrupted', () => {
    expect(inOut(page([call]))).toContain('(no result: it was interrupted)')
  })

  it('stays within its limit, and keeps every voice, whatever is on it', () => {
    const kinds = fc.constantFrom<PagePart['kind'][]>('user', 'assistant', 'call', 'result')
    const parts = fc.array(
      fc.record({
        kind: kinds,
        text: fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 5_000, size: 'max' })),
      }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(parts, fc.integer({ min: 1_000, max: 6_000 }), (said, limit) => {
        const text = inOut(page(said.map(({ kind, text: words }) => part(kind, words))), limit)
        // What is beyond the texts: one voice a line, what was left out, and interrupted calls.
        expect(text.length).toBeLessThanOrEqual(limit + 120 * (said.length + 1))
        const voices = said.filter(({ kind }) => kind === 'user').length
        expect(text.split('user: ').length - 1).toBeGreaterThanOrEqual(voices)
      }),
      runs(200),
    )
  })
})
