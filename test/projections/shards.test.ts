import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockId, documentId } from '../../src/events/index.ts'
import { emptyShards, lookup, type Shards, store } from '../../src/projections/shards.ts'

// two of them share a shard, and differ in their last digit only
const IDS = [
  `blk_aa${'0'.repeat(22)}`,
  `blk_aa${'0'.repeat(21)}1`,
  `blk_00${'f'.repeat(22)}`,
  blockId('x'),
  blockId('y'),
  documentId('x'),
  // the same digits in another kind of id
  blockId('x').replace('blk', 'doc'),
]
const id = fc.constantFrom(...IDS)
const value = fc.constantFrom('', 'a', '1.evt_0', '$&', '$1', 'longer than the one before', '=')

describe('shards', () => {
  it('are a map', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, value), { maxLength: 40 }), entries => {
        const expected = new Map(entries)
        const shards = entries.reduce<Shards>((map, [key, text]) => store(map, key, text), emptyShards())
        for (const key of IDS) expect(lookup(shards, key)).toBe(expected.get(key))
      }),
    )
  })

  it('storing leaves the map before as it was', () => {
    const before = store(emptyShards(), IDS[0] ?? '', 'a')
    const copy = [...before]
    store(store(before, IDS[0] ?? '', 'b'), IDS[1] ?? '', 'c')
    expect(before).toEqual(copy)
  })

  it.each([
    '',
    'blk_',
    'blk_zz0000000000000000000000',
    'BLK_aa',
    `blk_aa${'0'.repeat(23)}`,
    `x\nblk_aa${'0'.repeat(22)}`,
  ])('what is no id of a block or document, %j, is not stored and not found', key => {
    const shards = store(emptyShards(), key, 'a')
    expect(shards).toEqual(emptyShards())
    expect(lookup(shards, key)).toBeUndefined()
  })
})
