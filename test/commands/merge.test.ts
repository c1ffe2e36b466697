import { describe, expect, it } from 'vitest'
import { CommandRefusedError, decideMerge, type Known, type KnownBlocks } from '../../src/commands/index.ts'
import { blockId, readEvent } from '../../src/events/index.ts'
import { eventId, NS_A } from '../support/events.ts'

const [ONE, TWO, ALIAS, GONE] = ['one', 'two', 'alias', 'gone'].map(blockId) as [string, string, string, string]
const block = (state: Known['state'], representative: string): Known => ({
  state,
  representative,
  family: [representative],
})
const KNOWN: KnownBlocks = new Map([
  [ONE, block('living', ONE)],
  [TWO, block('living', TWO)],
  [ALIAS, block('living', ONE)],
  [GONE, block('purged', GONE)],
])
const STAMP = { id: eventId(1), clock: 1, ns: NS_A, at: { time: 1 } }

describe('deciding a merge', () => {
  it('makes a valid event', () => {
    const draft = decideMerge({ keep: ONE, drop: TWO, reason: 'the same', everywhere: true }, 'api', KNOWN)
    const event = draft.stamp(STAMP)
    expect(event).toEqual({
      v: 1,
      ...STAMP,
      keep: ONE,
      drop: TWO,
      everywhere: true,
      reason: 'the same',
      origin: 'api',
    })
    expect(readEvent('hologram/merge', event).kind).toBe('event')
  })

  it('says neither a reason nor everywhere where there is none', () => {
    const event = decideMerge({ keep: ONE, drop: TWO, everywhere: false }, 'api', KNOWN).stamp(STAMP)
    expect(event).toEqual({ v: 1, ...STAMP, keep: ONE, drop: TWO, origin: 'api' })
  })

  it('is of the blocks that stand for those named', () => {
    expect(decideMerge({ keep: TWO, drop: ALIAS }, 'api', KNOWN)).toMatchObject({ keep: TWO, drop: ONE })
    expect(decideMerge({ keep: ALIAS, drop: TWO }, 'api', KNOWN)).toMatchObject({ keep: ONE, drop: TWO })
  })

  it('keeps a reason short, well-formed and without secrets', () => {
    const reasonOf = (reason: string) =>
      decideMerge({ keep: ONE, drop: TWO, reason }, 'api', KNOWN).stamp(STAMP).reason ?? ''
    expect(reasonOf('sk-TESTTESTTESTTESTTESTTEST1234')).not.toContain('sk-TEST')
    expect(reasonOf('x'.repeat(1_001))).toHaveLength(1_000)
    expect(reasonOf('no more \ud83d')).toBe('no more \ufffd')
    expect(reasonOf(`${'x'.repeat(999)}😀`)).toBe('x'.repeat(999))
  })

  it.each([
    [{ keep: blockId('?'), drop: ONE }, 'not_found', /to keep, blk_\w+, does not exist/],
    [{ keep: ONE, drop: blockId('?') }, 'not_found', /to drop, blk_\w+, does not exist/],
    [{ keep: GONE, drop: ONE }, 'not_found', /to keep, blk_\w+, was purged/],
    [{ keep: ONE, drop: GONE }, 'not_found', /to drop, blk_\w+, was purged/],
    [{ keep: ONE, drop: ONE }, 'same_block', /one block already/],
    [{ keep: ONE, drop: ALIAS }, 'same_block', /one block already/],
  ])('refuses %j', (input, code, message) => {
    expect(() => decideMerge(input, 'tool', KNOWN)).toThrow(
      expect.objectContaining({ constructor: CommandRefusedError, code, message: expect.stringMatching(message) }),
    )
  })
})
