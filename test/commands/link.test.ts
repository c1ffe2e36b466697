import { describe, expect, it } from 'vitest'
import {
  decideLink,
  decideUnlink,
  type EdgeInput,
  idsOfEdge,
  isCommandRefused,
  type Known,
  type KnownBlocks,
} from '../../src/commands/index.ts'
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
const EDGE: EdgeInput = { sourceKind: 'block', sourceId: ONE, targetKind: 'block', targetId: TWO, type: 'supersedes' }
const entity = (targetId: string): EdgeInput => ({ ...EDGE, targetKind: 'entity', targetId, type: 'mentions' })

function refusal(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    if (isCommandRefused(error)) return { code: error.code, message: error.message }
    throw error
  }
  return undefined
}

describe('deciding an edge', () => {
  it('makes a valid event with what was given, and nothing else', () => {
    const event = decideLink({ ...EDGE, confidence: 0 }, 'tool', KNOWN).stamp(STAMP)
    expect(event).toEqual({ v: 1, ...STAMP, ...EDGE, confidence: 0, origin: 'tool' })
    expect(readEvent('hologram/link', event).kind).toBe('event')
    expect(decideLink(EDGE, 'api', KNOWN).stamp(STAMP)).not.toHaveProperty('confidence')
  })

  it.each([
    [{ sourceId: blockId('?') }, 'not_found', /source of the edge, block blk_\w+, does not exist/],
    [{ targetId: GONE }, 'not_found', /target of the edge, block blk_\w+, was purged/],
    [{ targetKind: 'document', targetId: 'doc_1' }, 'not_found', /document doc_1, does not exist/],
    [{ targetId: ONE }, 'same_block', /two different ends/],
    [{ targetId: ALIAS }, 'same_block', /two different ends/],
    [{ type: '' }, 'bad_field', /short word/],
    [{ type: 'x'.repeat(65) }, 'bad_field', /short word/],
    [{ type: 7 }, 'bad_field', /short word/],
    [{ sourceKind: 'person' }, 'bad_field', /sourceKind must be one of block, document/],
    [{ sourceId: '' }, 'bad_field', /sourceId must be text/],
    [{ sourceId: 7 }, 'bad_field', /sourceId must be text/],
    [{ confidence: -0.1 }, 'bad_field', /from 0 to 1/],
    [{ confidence: Number.NaN }, 'bad_field', /from 0 to 1/],
    [{ confidence: '1' }, 'bad_field', /from 0 to 1/],
  ])('refuses %j', (over, code, message) => {
    const input = { ...EDGE, ...over } as EdgeInput
    expect(refusal(() => decideLink(input, 'tool', KNOWN))).toEqual({ code, message: expect.stringMatching(message) })
  })

  it.each(['a\0b', ' ', 'x'.repeat(501), '\ud800'])(
    'refuses the name of an entity that no store can hold: %j',
    name => {
      expect(refusal(() => decideLink(entity(name), 'tool', KNOWN))).toMatchObject({ code: 'bad_field' })
    },
  )

  it('takes a secret out of a name, but leaves ids alone', () => {
    const event = decideLink(entity('sk-TESTTESTTESTTESTTESTTEST1234'), 'tool', KNOWN).stamp(STAMP)
    expect(event.targetId).not.toContain('sk-TEST')
    expect(event.sourceId).toBe(ONE)
  })

  it('asks about blocks only', () => {
    expect(idsOfEdge(EDGE)).toEqual([ONE, TWO])
    expect(idsOfEdge(entity('staging'))).toEqual([ONE])
  })
})

describe('deciding the end of an edge', () => {
  it('needs no ends that exist: ending what is not there is harmless', () => {
    const edge = { ...EDGE, sourceId: blockId('?'), targetId: GONE }
    const event = decideUnlink(edge, 'tool').stamp(STAMP)
    expect(event).toEqual({ v: 1, ...STAMP, ...edge, origin: 'tool' })
    expect(readEvent('hologram/unlink', event).kind).toBe('event')
  })

  it('refuses what is no edge', () => {
    expect(refusal(() => decideUnlink({ ...EDGE, targetId: ONE }, 'tool'))).toMatchObject({ code: 'same_block' })
    expect(refusal(() => decideUnlink({ ...EDGE, type: 'a b' }, 'tool'))).toMatchObject({ code: 'bad_field' })
  })
})
