import { describe, expect, it } from 'vitest'
import { Breaker, speaksAgainstService } from '../../src/embedding/control/breaker.ts'
import { FAILURE_CODES, type FailureCode } from '../../src/embedding/index.ts'

function breaker(): { readonly breaker: Breaker; readonly pass: (ms: number) => void } {
  let now = 0
  return {
    breaker: new Breaker({ threshold: 3, coolDownMs: 100, longestMs: 350, now: () => now }),
    pass: ms => {
      now += ms
    },
  }
}

function fail(breaker: Breaker, times = 1): void {
  for (let time = 0; time < times; time += 1) breaker.enter()?.failed()
}

describe('the breaker', () => {
  it('stays closed while no three failures come in a row', () => {
    const { breaker: tried } = breaker()
    for (let time = 0; time < 5; time += 1) {
      fail(tried, 2)
      tried.enter()?.succeeded()
    }
    expect(tried.state).toBe('closed')
  })

  it('opens with the third failure and lets nothing pass', () => {
    const { breaker: tried, pass } = breaker()
    fail(tried, 3)
    expect(tried.state).toBe('open')
    pass(99)
    expect(tried.enter()).toBeUndefined()
  })

  it('lets exactly one probe pass when it has cooled down', () => {
    const { breaker: tried, pass } = breaker()
    fail(tried, 3)
    pass(100)
    expect(tried.state).toBe('half-open')
    expect(tried.refuses).toBe(false)
    expect(tried.enter()).toBeDefined()
    expect(tried.refuses).toBe(true)
    expect(tried.enter()).toBeUndefined()
  })

  it('closes with a probe that succeeds, and needs three failures again', () => {
    const { breaker: tried, pass } = breaker()
    fail(tried, 3)
    pass(100)
    tried.enter()?.succeeded()
    expect(tried.state).toBe('closed')
    fail(tried, 2)
    expect(tried.state).toBe('closed')
  })

  it('opens anew with a probe that fails, for twice as long, up to a bound', () => {
    const { breaker: tried, pass } = breaker()
    fail(tried, 3)
    for (const ms of [100, 200, 350, 350]) {
      pass(ms - 1)
      expect(tried.state).toBe('open')
      pass(1)
      expect(tried.state).toBe('half-open')
      fail(tried)
    }
  })

  it('lets another probe pass when the first was withdrawn', () => {
    const { breaker: tried, pass } = breaker()
    fail(tried, 3)
    pass(100)
    tried.enter()?.withdrawn()
    expect(tried.enter()).toBeDefined()
  })

  it('hears only the first word of a permit', () => {
    const { breaker: tried } = breaker()
    const permit = tried.enter()
    permit?.succeeded()
    for (let time = 0; time < 5; time += 1) permit?.failed()
    expect(tried.state).toBe('closed')
  })

  it('does not take late news from before it opened for those of a probe', () => {
    const { breaker: tried, pass } = breaker()
    const early = [tried.enter(), tried.enter()]
    fail(tried, 3)
    early[0]?.succeeded()
    expect(tried.state).toBe('open')
    pass(100)
    const probe = tried.enter()
    early[1]?.failed()
    expect(tried.state).toBe('half-open')
    probe?.succeeded()
    expect(tried.state).toBe('closed')
  })
})

describe('what speaks against a service', () => {
  it('is every failure but those of the caller and of the text', () => {
    const innocent = FAILURE_CODES.filter(code => !speaksAgainstService({ code, message: '' }, 1_000))
    expect(innocent).toEqual<FailureCode[]>(['closed', 'aborted'])
    const statuses = [400, 401, 403, 404, 413, 422, 429, 500, 503]
    const against = statuses.filter(status => speaksAgainstService({ code: 'http_status', message: '', status }, 0))
    expect(against).toEqual([401, 403, 404, 429, 500, 503])
  })

  it('is a deadline only when it was a fair one', () => {
    expect([5, 99, 100, 400].map(ms => speaksAgainstService({ code: 'deadline', message: '' }, ms))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})
