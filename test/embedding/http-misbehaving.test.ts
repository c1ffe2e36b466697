import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpProvider, type ProtocolName } from '../../src/embedding/index.ts'
import { KEY, MISBEHAVIOURS } from './support/misbehaviour.ts'
import { codes, timed } from './support/results.ts'
import { DIMENSION, serve, tripwire } from './support/server.ts'

const TIMEOUT_MS = 300
/** Repetitions wait at most 250 and 500 ms; the rest is for a busy machine. */
const BOUND_MS = 4_000
const MB = 1 << 20

function provider(endpoint: string, protocol: ProtocolName): HttpProvider {
  const made = new HttpProvider({
    endpoint,
    protocol,
    dimension: DIMENSION,
    model: 'm',
    apiKey: KEY,
    timeoutMs: TIMEOUT_MS,
  })
  onTestFinished(() => made.close())
  return made
}

/** Runs something, and returns by how many bytes buffers grew meanwhile at most. */
async function growth(run: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().arrayBuffers
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 1)
  await run()
  clearInterval(timer)
  return most - before
}

/** Whether a text holds eight characters of the key in a row. */
function leaks(text: string): boolean {
  return Array.from({ length: KEY.length - 7 }, (_, at) => KEY.slice(at, at + 8)).some(part => text.includes(part))
}

describe.each(['openai', 'hologram'] as const)('a service of the %s protocol that misbehaves', protocol => {
  it.each(MISBEHAVIOURS)('$name: $code', async ({ code, handler, requests = 1, atLeastMs = 0 }) => {
    const server = await serve(handler)
    const embedding = provider(server.endpoint, protocol)
    const grown = await growth(async () => {
      const { value, ms } = await timed(embedding.embed(['x'], { side: 'document' }))
      expect(codes(value)).toEqual([code])
      expect(ms).toBeGreaterThanOrEqual(atLeastMs)
      expect(ms).toBeLessThan(BOUND_MS)
      expect(leaks(inspect(value, { depth: 9, showHidden: true }))).toBe(false)
    })
    expect(grown).toBeLessThan(24 * MB)
    expect(server.got.map(({ authorization }) => authorization)).toEqual(Array(requests).fill(`Bearer ${KEY}`))
    expect(server.written()).toBeLessThan(8 * MB)
  })

  it.each([301, 302, 303, 307, 308, 300, 304])(
    '%i to the same or another origin: redirect, never followed',
    async status => {
      const elsewhere = await tripwire()
      for (const location of [`${elsewhere.origin}/steal?${KEY}`, '/elsewhere', undefined]) {
        const server = await serve((_got, response) => {
          response.writeHead(status, location === undefined ? {} : { location }).end()
        })
        const results = await provider(server.endpoint, protocol).embed(['x'], { side: 'query' })
        expect(results).toMatchObject([{ ok: false, error: { code: 'redirect', status } }])
        expect(leaks(inspect(results))).toBe(false)
        expect(server.got.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/embeddings'])
      }
    },
  )

  it('nobody listens: network', async () => {
    const server = await serve(() => undefined)
    const port = Number(new URL(server.origin).port)
    const results = await provider(`http://127.0.0.1:${port === 1 ? 2 : 1}/v1/embeddings`, protocol).embed(['x'], {
      side: 'query',
    })
    expect(codes(results)).toEqual(['network'])
    expect(server.connections()).toBe(0)
  })
})
