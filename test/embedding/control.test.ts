import { describe, expect, it } from 'vitest'
import { Ending } from '../../src/embedding/control/ending.ts'
import { Gate } from '../../src/embedding/control/gate.ts'
import type { Side } from '../../src/embedding/index.ts'
import { batchesOf } from '../../src/embedding/wire/batches.ts'
import { RETRIES, retryAfter, retryDelay } from '../../src/embedding/wire/retry.ts'
import { quote, scrub } from '../../src/embedding/wire/scrub.ts'

const NEVER = new AbortController().signal

describe('the gate', () => {
  /** Lets callers in one after the other, and notes who came in. */
  function gate(places: number) {
    const inside: string[] = []
    const leaves = new Map<string, () => void>()
    const made = new Gate(places)
    return {
      inside,
      ask: (name: string, side: Side, signal = NEVER) => {
        void made.enter(side, signal).then(leave => {
          inside.push(leave === undefined ? `${name} gave up` : name)
          if (leave !== undefined) leaves.set(name, leave)
        })
      },
      leave: (name: string) => leaves.get(name)?.(),
      settle: () => new Promise(resolve => setImmediate(resolve)),
    }
  }

  it('keeps the last place for questions, and lets them go first', async () => {
    const { ask, inside, leave, settle } = gate(3)
    for (const name of ['d1', 'd2', 'd3']) ask(name, 'document')
    ask('q1', 'query')
    ask('q2', 'query')
    await settle()
    expect(inside).toEqual(['d1', 'd2', 'q1'])
    leave('d1')
    leave('d1')
    await settle()
    expect(inside).toEqual(['d1', 'd2', 'q1', 'q2'])
    leave('q1')
    await settle()
    expect(inside).toEqual(['d1', 'd2', 'q1', 'q2', 'd3'])
  })

  it('lets documents in where there is one place only', async () => {
    const { ask, inside, settle } = gate(1)
    ask('d1', 'document')
    await settle()
    expect(inside).toEqual(['d1'])
  })

  it('lets go whoever stops waiting, and nobody else', async () => {
    const { ask, inside, leave, settle } = gate(1)
    const giveUp = new AbortController()
    ask('q1', 'query')
    ask('q2', 'query', giveUp.signal)
    ask('q3', 'query')
    giveUp.abort()
    ask('q4', 'query', giveUp.signal)
    await settle()
    expect(inside).toEqual(['q1', 'q2 gave up', 'q4 gave up'])
    leave('q1')
    await settle()
    expect(inside.at(-1)).toBe('q3')
  })
})

describe('an ending', () => {
  it('says who ended the call first, and lets go of the caller’s signal', async () => {
    const caller = new AbortController()
    const ending = new Ending({ signal: caller.signal, deadline: 20 }, NEVER)
    await ending.wait(5_000)
    caller.abort()
    expect(ending.failure?.code).toBe('deadline')
    ending.dispose()

    const disposed = new Ending({ signal: caller.signal, deadline: undefined }, NEVER)
    expect(disposed.failure?.code).toBe('aborted')
    expect(new Ending({ deadline: 0 }, NEVER).failure?.code).toBe('deadline')
    expect(new Ending({ deadline: Number.NaN }, NEVER).remaining).toBe(Number.POSITIVE_INFINITY)
    expect(new Ending({}, AbortSignal.abort()).failure?.code).toBe('closed')
  })

  it('takes deadlines longer than a timer can be for none', () => {
    expect(new Ending({ deadline: 2 ** 40 }, NEVER).failure).toBeUndefined()
  })
})

describe('a repetition', () => {
  const busy = { code: 'http_status', message: '', status: 429 } as const

  it('waits longer each time, and never twice the same', () => {
    expect([0, 1].map(round => retryDelay(round, busy, 10_000, 0))).toEqual([125, 250])
    expect([0, 1].map(round => retryDelay(round, busy, 10_000, 0.5))).toEqual([187.5, 375])
    expect(RETRIES).toBe(2)
  })

  it('waits at least as long as it was asked to, or is not made', () => {
    expect(retryDelay(0, { ...busy, retryAfterMs: 2_000 }, 10_000, 0)).toBe(2_000)
    expect(retryDelay(0, { ...busy, retryAfterMs: 2_000 }, 2_000, 0)).toBeUndefined()
    expect(retryDelay(0, { ...busy, retryAfterMs: 60_000 }, Number.POSITIVE_INFINITY, 0)).toBeUndefined()
  })

  it.each([
    ['3', 3_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 1970 00:01:40 GMT', 90_000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['-1', undefined],
    ['1e9', undefined],
    ['99999999999', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('Retry-After %j is %j ms', (header, ms) => {
    expect(retryAfter(header, 10_000)).toBe(ms)
  })
})

describe('batches', () => {
  it('keep places and order, leave out what is empty, and are bounded in number and size', () => {
    const long = 'x'.repeat(100 << 10)
    expect(batchesOf(['a', ' ', 'b', 'c'], 2)).toEqual([
      [
        { place: 0, text: 'a' },
        { place: 2, text: 'b' },
      ],
      [{ place: 3, text: 'c' }],
    ])
    expect(batchesOf([long, long, 'a', long.repeat(3)], 32).map(batch => batch.map(({ place }) => place))).toEqual([
      [0],
      [1, 2],
      [3],
    ])
    expect(batchesOf(['\ud800x'], 1)).toEqual([[{ place: 0, text: '\ufffdx' }]])
    expect(batchesOf([], 1)).toEqual([])
  })
})

describe('a quotation', () => {
  const key = 'sk-ABCDEFGH/12345678+='

  it('holds the key in no form', () => {
    for (const form of [
      key,
      key.toLowerCase(),
      encodeURIComponent(key),
      Buffer.from(key).toString('base64'),
      key.slice(4, 15),
      `${key}${key}`,
    ]) {
      expect(scrub(`<${form}>`, key)).toMatch(/^<.{0,3}\*\*\*.{0,3}>$/)
    }
    expect(quote(`a ${key.slice(0, 6)}\u200b${key.slice(6)} b`, key)).not.toContain(key.slice(6, 14))
  })

  it('is cut after the key was taken out, and not through it', () => {
    const said = quote(`${'x'.repeat(190)}${key}${'y'.repeat(500)}`, key)
    expect(said).toBe(`${'x'.repeat(190)}***${'y'.repeat(6)}…`)
  })

  it('is one line without control characters', () => {
    expect(quote(' a\r\nb\u001b[31m\u202ec ', '')).toBe('a b [31m c')
  })

  it('leaves everything else as it is', () => {
    expect(scrub('nothing here', key)).toBe('nothing here')
    expect(scrub('nothing here', '')).toBe('nothing here')
    expect(scrub('a short k', 'k')).toBe('a short ***')
  })
})
