import { beforeAll, describe, expect, it } from 'vitest'
import { CommandRefusedError } from '../../src/plugin/index.ts'
import type { RecallOptions } from '../../src/plugin/recall-options.ts'
import { type Rig, rig } from './rig.ts'

let shared: Rig

beforeAll(async () => {
  shared = await rig({ keep: true })
  await shared.memory.commit({ text: 'the weir is open' })
  await shared.memory.commit({ text: 'the weir keeper is Ada' })
})

describe('options of one recall', () => {
  it.each([
    [{ topK: 0 }, 'topK must be a whole number from 1 to 10000, not 0'],
    [{ topK: 2.5 }, 'topK'],
    [{ topK: Number.NaN }, 'topK'],
    [{ topK: '3' }, 'topK'],
    [{ offset: -1 }, 'offset must be a whole number from 0'],
    [{ associate: 0.5 }, 'associate'],
    [{ floor: 1.5 }, 'floor must be a number from 0 to 1, not 1.5'],
    [{ floor: Number.NaN }, 'floor'],
    [{ fusion: 'best' }, 'fusion must be rank or weighted, not best'],
    [{ scope: 'world' }, 'scope must be one of session, namespace, all, not world'],
    [{ weights: 0.7 }, 'weights must be {vectors, words}'],
    [{ weights: { vectors: 0.7 } }, 'weights.words must be a number of at least 0, not undefined'],
    [{ weights: { vectors: -1, words: 1 } }, 'weights.vectors'],
    [{ weights: { vectors: Number.POSITIVE_INFINITY, words: 1 } }, 'weights.vectors'],
    [{ weights: { vectors: 0, words: 0 } }, 'must not both be 0'],
    [{ weights: { vectors: 1, words: 1, edges: 1 } }, 'there is no weight "edges"'],
  ])('%j is refused and named', async (options, message) => {
    const asked = shared.memory.recall('weir', options as RecallOptions)
    await expect(asked).rejects.toThrow(CommandRefusedError)
    await expect(asked).rejects.toMatchObject({ code: 'bad_field', message: expect.stringContaining(message) })
  })

  it('a number that is none is refused as well', async () => {
    await expect(shared.memory.recall('weir', Number.NaN)).rejects.toThrow(CommandRefusedError)
  })

  it('topK, floor and weights hold for their own recall', async () => {
    const { memory } = shared
    const all = await memory.recall('open weir')
    expect(all.hits).toHaveLength(2)
    expect((await memory.recall('open weir', { topK: 1 })).hits).toEqual(all.hits.slice(0, 1))
    const between = all.hits.reduce((sum, hit) => sum + hit.score, 0) / 2
    expect((await memory.recall('open weir', { floor: between })).hits).toEqual(all.hits.slice(0, 1))
    const second = all.hits[1]?.id ?? ''
    const near = [{ id: second, similarity: 0.9 }]
    const first = async (weights: RecallOptions['weights']) =>
      (await memory.recall('open weir', { near, ...(weights && { weights }) })).hits[0]?.id
    expect(await first({ vectors: 1, words: 0 })).toBe(second)
    expect(await first({ vectors: 0, words: 1 })).toBe(all.hits[0]?.id)
  })
})
