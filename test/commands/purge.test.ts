import { describe, expect, it } from 'vitest'
import { CommandRefusedError, decidePurge, type KnownBlocks, type PurgeInput } from '../../src/commands/index.ts'
import { blockId, documentId, MAX_PURGED, readEvent } from '../../src/events/index.ts'
import { eventId, NS_A } from '../support/events.ts'

const [ONE, TWO, ALIAS, GONE] = ['one', 'two', 'alias', 'gone'].map(blockId) as [string, string, string, string]
const KNOWN: KnownBlocks = new Map([
  [ONE, { state: 'living', representative: ONE, family: [ONE, ALIAS] }],
  [ALIAS, { state: 'living', representative: ONE, family: [ONE, ALIAS] }],
  [TWO, { state: 'living', representative: TWO, family: [TWO] }],
  [GONE, { state: 'purged', representative: GONE, family: [GONE] }],
])
const STAMP = { id: eventId(1), clock: 1, ns: NS_A, at: { time: 1 } }

describe('deciding a purge', () => {
  it('makes a valid event of every id that means the blocks, each once', () => {
    const draft = decidePurge({ ids: [ALIAS, ONE, TWO], reason: 'asked to', everywhere: true }, 'command', KNOWN)
    const event = draft.stamp(STAMP)
    expect(event).toEqual({
      v: 1,
      ...STAMP,
      ids: [ONE, ALIAS, TWO],
      everywhere: true,
      reason: 'asked to',
      origin: 'command',
    })
    expect(draft.ids).toEqual(event.ids)
    expect(readEvent('hologram/purge', event).kind).toBe('event')
  })

  it('has an empty reason where none was given, and purges again what was purged', () => {
    const event = decidePurge({ ids: [GONE] }, 'api', KNOWN).stamp(STAMP)
    expect(event).toEqual({ v: 1, ...STAMP, ids: [GONE], reason: '', origin: 'api' })
  })

  it('names the pages that hold what is forgotten, each once, and no others', () => {
    const page = (n: number) => ({ doc: documentId('m1'), page: n })
    const known: KnownBlocks = new Map([
      ...KNOWN,
      [ONE, { state: 'living', representative: ONE, family: [ONE], pages: [page(0), page(2)] }],
      [TWO, { state: 'living', representative: TWO, family: [TWO], pages: [page(2)] }],
      [ALIAS, { state: 'living', representative: ALIAS, family: [ALIAS], pages: [page(7)] }],
    ])
    const event = decidePurge({ ids: [ONE, TWO] }, 'tool', known).stamp(STAMP)
    expect(event.pages).toEqual([page(0), page(2)])
    expect(readEvent('hologram/purge', event).kind).toBe('event')
  })

  it('names every page, in as many events as it takes', () => {
    const many = Array.from({ length: 2 * MAX_PURGED + 1 }, (_, n) => ({ doc: documentId('m1'), page: n }))
    const known: KnownBlocks = new Map([[ONE, { state: 'living', representative: ONE, family: [ONE], pages: many }]])
    const draft = decidePurge({ ids: [ONE], reason: 'asked to', everywhere: true }, 'tool', known)
    const events = [draft.stamp, ...draft.further].map(stamp => stamp(STAMP))
    expect(events).toHaveLength(3)
    for (const event of events) {
      expect(readEvent('hologram/purge', event).kind).toBe('event')
      expect(event).toMatchObject({ ids: [ONE], everywhere: true, reason: 'asked to', origin: 'tool' })
    }
    expect(events.flatMap(({ pages }) => pages ?? [])).toEqual(many)
  })

  it('keeps a reason short and without secrets', () => {
    const reasonOf = (reason: string) => decidePurge({ ids: [ONE], reason }, 'api', KNOWN).stamp(STAMP).reason
    expect(reasonOf('it was sk-TESTTESTTESTTESTTESTTEST1234')).not.toContain('sk-TEST')
    expect(reasonOf('x'.repeat(5_000))).toHaveLength(1_000)
  })

  it.each([
    [
      'an id that is not there',
      { ids: [ONE, blockId('?')] },
      'not_found',
      /nothing was purged: blk_\w+ does not exist/,
    ],
    ['no ids', { ids: [] }, 'bad_field', /at least one/],
    ['what is no list', { ids: ONE }, 'bad_field', /at least one/],
    ['what is no id', { ids: [7] }, 'not_found', /7 does not exist/],
  ])('refuses %s', (_, input, code, message) => {
    expect(() => decidePurge(input as unknown as PurgeInput, 'tool', KNOWN)).toThrow(
      expect.objectContaining({ constructor: CommandRefusedError, code, message: expect.stringMatching(message) }),
    )
  })

  it('refuses more blocks than one event may name, those that mean the same counted', () => {
    const family = Array.from({ length: MAX_PURGED }, (_, n) => blockId(`${n}`))
    const known: KnownBlocks = new Map([...KNOWN, [ONE, { state: 'living', representative: ONE, family }]])
    expect(decidePurge({ ids: [ONE] }, 'tool', known).ids).toHaveLength(MAX_PURGED)
    expect(() => decidePurge({ ids: [ONE, TWO] }, 'tool', known)).toThrow(/at most 1000 blocks, not 1001/)
  })
})
