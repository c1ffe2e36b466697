import { describe, expect, it } from 'vitest'
import { LIMITS, mayBeOutdated, mayLackSome } from '../../src/readmodels/limits.ts'

describe('what a search could not take into account', () => {
  it.each([
    [LIMITS.unfolded, true, true],
    [LIMITS.catching, false, true],
    [LIMITS.unusable, false, true],
    [LIMITS.movedAside, false, false],
    ['arbitration_failed: out of memory', true, false],
    ['vector_search_failed', false, false],
  ])('%s', (reason, outdated, lacks) => {
    expect([mayBeOutdated([reason]), mayLackSome([reason])]).toEqual([outdated, lacks])
    expect([mayBeOutdated(['x', reason]), mayLackSome([reason, 'x'])]).toEqual([outdated, lacks])
  })

  it('nothing is neither', () => {
    expect([mayBeOutdated([]), mayLackSome([])]).toEqual([false, false])
  })
})
