import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInScene, sceneKey } from '../../../src/readmodels/analyse/index.ts'

describe('a scene key', () => {
  it.each([
    ['  Deploy/Staging ', 'deploy/staging'],
    ['deploy//staging/', 'deploy/staging'],
    ['chan:qq/room_a/x', 'chan:qq/room_a/x'],
    ['a b/c%d\\e', 'a_b/c_d_e'],
    ['部署/测试 环境', '部署/测试_环境'],
    ['Ｃｈａｎ：ＱＱ', 'chan:qq'],
    ['v1.2-rc', 'v1.2-rc'],
    ['сцена/один', 'сцена/один'],
    [' /// ', ''],
  ])('of %j is %j', (scene, key) => expect(sceneKey(scene)).toBe(key))

  it('is at most 96 bytes, cut on a character, and its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), scene => {
        const key = sceneKey(scene)
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(96)
        expect(key.isWellFormed()).toBe(true)
        expect(sceneKey(key)).toBe(key)
      }),
      { numRuns: 2_000 },
    )
    expect(sceneKey('部'.repeat(100))).toBe('部'.repeat(32))
  })
  it('holds what lies below it, and nothing that merely begins alike', () => {
    expect(isInScene('a/b', 'a')).toBe(true)
    expect(isInScene('a', 'a')).toBe(true)
    expect(isInScene('ab', 'a')).toBe(false)
    expect(isInScene('a', 'a/b')).toBe(false)
  })
})
