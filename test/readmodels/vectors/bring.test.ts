/** The loop that brings missing vectors, with everything around it played. */
import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import type { MissingVector } from '../../../src/readmodels/index.ts'
import { type BringParts, bringVectors, type NewVector } from '../../../src/readmodels/vectors/bring.ts'
import { NS_A } from '../../support/events.ts'

const blocks = Array.from(
  { length: 70 },
  (_, n): MissingVector => ({
    row: n + 1,
    namespace: NS_A.id,
    label: NS_A.label,
    kind: 'block',
    id: blockId(`t${n}`),
    text: ` t${n}`,
  }),
)

type Result = Awaited<ReturnType<BringParts['provider']['embed']>>[number]
const good: Result = { ok: true, vector: Float32Array.of(1, 0) }
const bad = (code: string, status?: number): Result => ({
  ok: false,
  error: { code, ...(status === undefined ? {} : { status }) },
})

function played(over: Partial<BringParts> = {}, answer: (text: string) => Result = () => good) {
  const written: NewVector[][] = []
  const asked: string[][] = []
  const leases: number[] = []
  const done = new Set<string>()
  const parts: BringParts = {
    space: { fingerprint: 'f', dimension: 2, provider: 'p', model: 'm' },
    provider: {
      breaker: 'closed',
      embed: texts => {
        asked.push([...texts])
        return Promise.resolve(texts.map(answer))
      },
    },
    missing: ({ limit, after = 0 }) => blocks.filter(({ row, id }) => row > after && !done.has(id)).slice(0, limit),
    lease: ({ ms }) => {
      leases.push(ms)
      return true
    },
    write: vectors => {
      written.push([...vectors])
      for (const { target } of vectors) done.add(target.id)
    },
    holder: 'me',
    refused: new Set(),
    perSecond: 1e9,
    signal: new AbortController().signal,
    stays: true,
    ...over,
  }
  return { parts, written, asked, leases }
}

describe('bringing vectors', () => {
  it('writes what one request brought in one go, in canonical form, and gives its lease back', async () => {
    const { parts, written, asked, leases } = played()
    expect(await bringVectors(parts)).toEqual({ brought: 70, failed: 0, reasons: {}, end: 'done' })
    expect(written.map(({ length }) => length)).toEqual([32, 32, 6])
    expect(asked.flat()).toEqual(blocks.map((_, n) => `t${n}`))
    expect(leases.at(-1)).toBe(0)
    expect(await bringVectors(parts)).toMatchObject({ brought: 0, end: 'done' })
  })

  it('leaves out what fails, counts it by code, and does not ask again for what is refused', async () => {
    const { parts, asked } = played({}, text =>
      text === 't3' ? bad('http_status', 413) : text === 't4' ? bad('timeout') : good,
    )
    expect(await bringVectors(parts)).toMatchObject({ brought: 68, failed: 2, reasons: { http_status: 1, timeout: 1 } })
    asked.length = 0
    expect(await bringVectors(parts)).toMatchObject({ brought: 0, failed: 1, reasons: { timeout: 1 } })
    expect(asked).toEqual([['t4']])
  })

  it('ends where the service is down, where another has the lease, and where it is stopped', async () => {
    const down = played()
    const provider = { ...down.parts.provider, breaker: 'open' }
    expect(await bringVectors({ ...down.parts, provider })).toMatchObject({ brought: 0, end: 'down' })
    const held = played({ lease: ({ ms }) => ms <= 0 })
    expect(await bringVectors(held.parts)).toMatchObject({ brought: 0, end: 'held' })
    expect(held.asked).toEqual([])
    const abort = new AbortController()
    const stopped = played({ signal: abort.signal, report: () => abort.abort() })
    expect(await bringVectors(stopped.parts)).toMatchObject({ brought: 32, failed: 0, end: 'aborted' })
  })

  it('gives its lease back when it fails', async () => {
    const { parts, leases } = played({ write: () => Promise.reject(new Error('the disk is full')) })
    await expect(bringVectors(parts)).rejects.toThrow('the disk is full')
    expect(leases.at(-1)).toBe(0)
  })
})
