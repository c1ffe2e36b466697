import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { embeddingProvider, HttpProvider, NO_PROVIDER } from '../../src/embedding/index.ts'
import { codes, failures, timed } from './support/results.ts'
import { DIMENSION, type Handler, rightOpenai, serve, tripwire } from './support/server.ts'

const KEY = 'sk-another-key-0123456789'
const SETTINGS = { protocol: 'openai', dimension: DIMENSION, model: 'm', apiKey: KEY } as const

function provider(endpoint: string, options?: ConstructorParameters<typeof HttpProvider>[1]): HttpProvider {
  const made = new HttpProvider({ ...SETTINGS, endpoint }, options)
  onTestFinished(() => made.close())
  return made
}

/** Answers rightly after so many milliseconds. */
const slow =
  (ms: () => number): Handler =>
  async (got, response, request) => {
    await new Promise(resolve => setTimeout(resolve, ms()).unref())
    if (!response.destroyed) await rightOpenai(got, response, request)
  }

describe('the network is left alone', () => {
  it('without a provider', async () => {
    const { endpoint } = await tripwire()
    for (const none of [NO_PROVIDER, embeddingProvider(), embeddingProvider({ endpoint: ' ', dimension: 3 })]) {
      expect(none.space).toBeUndefined()
      expect(codes(await none.embed(['a', 'b'], { side: 'query' }))).toEqual(['no_provider', 'no_provider'])
      expect(await none.embed([], { side: 'query' })).toEqual([])
      await none.close()
    }
    expect(endpoint).toContain('http')
  })

  it.each([
    ['without a dimension', { dimension: undefined }, 'no_space'],
    ['with dimension 0', { dimension: 0 }, 'no_space'],
    ['with dimension NaN', { dimension: Number.NaN }, 'no_space'],
    ['with dimension 1.5', { dimension: 1.5 }, 'no_space'],
    ['with an empty fingerprint', { fingerprint: '' }, 'no_space'],
    ['with a blank fingerprint', { fingerprint: ' \n' }, 'no_space'],
    ['with a fingerprint longer than an event holds', { fingerprint: 'x'.repeat(501) }, 'bad_settings'],
    ['with a key that no header carries', { apiKey: 'sk-line\nbreak-secret' }, 'bad_settings'],
    ['with openai and no model', { model: ' ' }, 'bad_settings'],
    ['with a time of 0', { timeoutMs: 0 }, 'bad_settings'],
    ['with a folder beside it', { directory: 'model' }, 'bad_settings'],
  ] as const)('%s (W3)', async (_name, settings, code) => {
    const { endpoint } = await tripwire()
    const made = embeddingProvider({ ...SETTINGS, endpoint, ...settings })
    onTestFinished(() => made.close())
    await made.ready
    expect(made.space).toBeUndefined()
    expect(made.problem?.code).toBe(code)
    expect(codes(await made.embed(['a', 'b'], { side: 'document' }))).toEqual([code, code])
    expect(inspect(made.problem)).not.toContain('secret')
  })

  it('with an endpoint that cannot be used', async () => {
    const { origin } = await tripwire()
    const user = origin.replace('//', `//user:${KEY}@`)
    for (const endpoint of ['no address', 'file:///etc/passwd', 'ftp://h/x', user, '//h/v1']) {
      const made = new HttpProvider({ ...SETTINGS, endpoint })
      expect(codes(await made.embed(['a'], { side: 'query' }))).toEqual(['bad_settings'])
      expect(inspect(made.problem)).not.toContain(KEY)
    }
  })

  it('for no texts, and for empty ones', async () => {
    const { endpoint } = await tripwire()
    const made = provider(endpoint)
    expect(await made.embed([], { side: 'query' })).toEqual([])
    expect(codes(await made.embed(['', ' \n\t'], { side: 'document' }))).toEqual(['empty_text', 'empty_text'])
  })

  it('when the call is over before it starts', async () => {
    const { endpoint } = await tripwire()
    const made = provider(endpoint)
    const asked = { side: 'query' } as const
    expect(codes(await made.embed(['a'], { ...asked, signal: AbortSignal.abort() }))).toEqual(['aborted'])
    expect(codes(await made.embed(['a'], { ...asked, deadline: 0 }))).toEqual(['deadline'])
    expect(codes(await made.embed(['a'], { ...asked, deadline: -5 }))).toEqual(['deadline'])
    await made.close()
    expect(codes(await made.embed(['a'], asked))).toEqual(['closed'])
  })

  it('while the breaker is open', async () => {
    let now = 0
    const server = await serve((_got, response) => {
      response.writeHead(404).end()
    })
    const made = provider(server.endpoint, { breaker: { threshold: 2, coolDownMs: 100, now: () => now } })
    for (let time = 0; time < 2; time += 1) await made.embed(['a'], { side: 'document' })
    expect(made.breaker).toBe('open')
    const { value, ms } = await timed(made.embed(['a', 'b'], { side: 'query' }))
    expect(codes(value)).toEqual(['breaker_open', 'breaker_open'])
    expect(ms).toBeLessThan(50)
    expect(server.got.length).toBe(2)
    now = 100
    expect(codes(await made.embed(['a'], { side: 'query' }))).toEqual(['http_status'])
    expect(server.got.length).toBe(3)
    expect(made.breaker).toBe('open')
  })
})

describe('an abort', () => {
  it('ends the call and its request at once, and says nothing about the service (W1, case 28)', async () => {
    const closed: number[] = []
    const server = await serve((_got, response) => {
      response.on('close', () => closed.push(performance.now()))
    })
    const made = provider(server.endpoint, { breaker: { threshold: 1 } })
    const caller = new AbortController()
    const call = timed(made.embed(['a', 'b'], { side: 'document', signal: caller.signal }))
    while (server.got.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    const aborted = performance.now()
    caller.abort()
    expect(codes((await call).value)).toEqual(['aborted', 'aborted'])
    expect(performance.now() - aborted).toBeLessThan(100)
    while (closed.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    expect((closed[0] ?? 0) - aborted).toBeLessThan(500)
    expect(made.breaker).toBe('closed')
  })

  it('ends a call that waits for its repetition, and one that waits for its place', async () => {
    const server = await serve((_got, response) => {
      response.writeHead(429, { 'retry-after': '20' }).end()
    })
    const made = provider(server.endpoint, { places: 1 })
    const caller = new AbortController()
    const calls = [1, 2].map(() => made.embed(['a'], { side: 'query', signal: caller.signal }))
    while (server.got.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    setTimeout(() => caller.abort(), 50)
    const { value, ms } = await timed(Promise.all(calls))
    expect(value.map(codes)).toEqual([['aborted'], ['aborted']])
    expect(ms).toBeLessThan(1_000)
    expect(server.got.length).toBe(1)
  })

  it('comes with the end of the provider too', async () => {
    const server = await serve(() => undefined)
    const made = provider(server.endpoint)
    const call = made.embed(['a'], { side: 'document' })
    while (server.got.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    await made.close()
    expect(codes(await call)).toEqual(['closed'])
  })

  it('leaves no listener behind', async () => {
    const server = await serve(rightOpenai)
    const made = provider(server.endpoint)
    const caller = new AbortController()
    let listeners = 0
    const { signal } = caller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...of: Parameters<typeof add>) => {
      listeners += 1
      add(...of)
    }
    signal.removeEventListener = (...of: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...of)
    }
    for (let time = 0; time < 3; time += 1) await made.embed(['a'], { side: 'document', signal })
    expect(listeners).toBe(0)
  })
})

describe('case 28: a slow service and a deadline of 500 ms', () => {
  it('costs a turn its deadline at most, and after repeated failures nothing', async () => {
    const latencies = [800, 30_000, 30_000, 30_000]
    const server = await serve(slow(() => latencies.shift() ?? 0))
    let now = 0
    const made = provider(server.endpoint, { breaker: { now: () => now } })
    const turn = () => timed(made.embed(['a'], { side: 'query', deadline: 500 }))
    for (let time = 0; time < 3; time += 1) {
      const { value, ms } = await turn()
      expect(codes(value)).toEqual(['deadline'])
      expect(ms).toBeGreaterThan(450)
      expect(ms).toBeLessThan(700)
    }
    const { value, ms } = await turn()
    expect(codes(value)).toEqual(['breaker_open'])
    expect(ms).toBeLessThan(50)
    expect(server.got.length).toBe(3)
    latencies.length = 0
    now = 30_000
    expect(codes((await turn()).value)).toEqual(['ok'])
    expect(made.breaker).toBe('closed')
  })

  it('does not hold a call against the service that was too large for its deadline', async () => {
    const server = await serve(slow(() => 150))
    const made = provider(server.endpoint, { breaker: { threshold: 2 } })
    const texts = Array.from({ length: 400 }, (_, at) => `text ${at}`)
    const found = codes(await made.embed(texts, { side: 'document', deadline: 400 }))
    expect(new Set(found)).toEqual(new Set(['ok', 'deadline']))
    expect(made.breaker).toBe('closed')
    const silent = await serve(() => undefined)
    const other = provider(silent.endpoint, { breaker: { threshold: 2 } })
    for (const state of ['closed', 'open']) {
      await other.embed(texts, { side: 'document', deadline: 200 })
      expect(other.breaker).toBe(state)
    }
  })

  it('does not hold an unfair deadline against the service', async () => {
    const server = await serve(slow(() => 300))
    const made = provider(server.endpoint, { breaker: { threshold: 1 } })
    expect(codes(await made.embed(['a'], { side: 'query', deadline: 20 }))).toEqual(['deadline'])
    expect(made.breaker).toBe('closed')
  })
})

describe('a connection', () => {
  it('that never stands ends as such', async () => {
    const sockets: Socket[] = []
    const deaf = createServer(socket => {
      sockets.push(socket.on('error', () => undefined))
    })
    await new Promise<void>(resolve => deaf.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => deaf.close(resolve))
    })
    const made = new HttpProvider({
      ...SETTINGS,
      endpoint: `https://127.0.0.1:${(deaf.address() as AddressInfo).port}/v1`,
      timeoutMs: 200,
    })
    const { value, ms } = await timed(made.embed(['a'], { side: 'query' }))
    expect(codes(value)).toEqual(['connect_timeout'])
    expect(ms).toBeLessThan(600)
    await made.close()
  })

  it('to something that does not speak TLS, and to a host that does not exist', async () => {
    const server = await serve(rightOpenai)
    for (const endpoint of [server.endpoint.replace('http:', 'https:'), 'http://no-such-host.invalid/v1']) {
      const [found] = failures(await provider(endpoint).embed(['a'], { side: 'query', deadline: 20_000 }))
      expect(found?.code).toBe('network')
    }
    expect(server.got).toEqual([])
  })
})

describe('the key', () => {
  it('goes to the endpoint, and shows nowhere', async () => {
    const server = await serve(rightOpenai)
    const made = provider(server.endpoint)
    const call = made.embed(['a'], { side: 'document' })
    const shown = [inspect(made, { depth: 30, showHidden: true }), JSON.stringify(made), JSON.stringify(made.space)]
    await call
    shown.push(inspect(made, { depth: 30, showHidden: true, getters: true }))
    expect(server.got.map(({ authorization }) => authorization)).toEqual([`Bearer ${KEY}`])
    for (const text of shown) expect(text).not.toContain(KEY.slice(0, 8))
  })
})
