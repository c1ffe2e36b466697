/** Where a recall or a commit can tell early that vectors will not help, nothing is sent anywhere. */
import { describe, expect, it } from 'vitest'
import type { EmbeddingProvider } from '../../../src/embedding/index.ts'
import { Embedder } from '../../../src/plugin/embedding/embedder.ts'
import { tripwire } from '../../embedding/support/server.ts'
import { DIMENSION, embeddingService } from '../../support/embedding-service.ts'
import { agentIn, oursIn, rig } from '../rig.ts'

const FACT = 'the gateway port is 8443'

describe('nothing is sent', () => {
  it.each([
    ['no embedder', {}],
    ['no endpoint', { dimension: DIMENSION, model: 'm' }],
    ['no dimension, so the space has no name', { endpoint: '', needsEndpoint: true }],
    ['an empty fingerprint', { endpoint: '', dimension: DIMENSION, fingerprint: ' ', needsEndpoint: true }],
    ['an endpoint and a folder', { endpoint: '', dimension: DIMENSION, directory: '/models', needsEndpoint: true }],
  ])('with %s', async (_, { needsEndpoint = false, ...embed }: Record<string, unknown>) => {
    const { endpoint, connections } = await tripwire()
    const { memory, host } = await rig({ config: { embed: needsEndpoint ? { ...embed, endpoint } : embed } })
    const { session } = await agentIn(host)
    await memory.commit({ text: FACT }, { session })
    expect((await memory.recall('gateway port', { session })).hits).toHaveLength(1)
    expect(oursIn(session.events, 'space')).toEqual([])
    expect(connections()).toBe(0)
  })

  it('for an empty memory, an empty question, and words that go by themselves', async () => {
    const { endpoint, connections } = await tripwire()
    const { memory, host } = await rig({ config: { embed: { endpoint, dimension: DIMENSION } } })
    const { session } = await agentIn(host)
    expect((await memory.recall('gateway port', { session })).outcome).toBe('nothing_stored')
    expect((await memory.recall(' \n', { session })).outcome).toBe('empty_query')
    await host.runTurn(await agentIn(host), 'What is the gateway port?')
    expect(connections()).toBe(0)
  })

  it('for a commit or a question that was aborted before it began', async () => {
    const { endpoint, connections } = await tripwire()
    const { memory, host } = await rig({ config: { embed: { endpoint, dimension: DIMENSION } } })
    const { session } = await agentIn(host)
    const signal = AbortSignal.abort()
    await memory.recall('gateway port', { session, signal }).catch(() => undefined)
    const provider = (memory as unknown as { memory: { parts: { embedder: Embedder } } }).memory.parts.embedder
    expect(await provider.document(FACT, signal)).toEqual({ noVector: 'aborted' })
    expect(await provider.question(FACT, { signal })).toEqual({ degraded: 'embed_error: aborted' })
    expect(connections()).toBe(0)
  })

  it('while the breaker is open: memories are kept and found by their words', async () => {
    const { endpoint, times } = await embeddingService({ status: 403 })
    const { memory, host } = await rig({ config: { embed: { endpoint, dimension: DIMENSION, budgetMs: 5_000 } } })
    const { session } = await agentIn(host)
    for (let n = 0; n < 3; n++) await memory.commit({ text: `${FACT} ${n}` }, { session })
    expect((await memory.stats()).embedding?.breaker).toBe('open')
    const before = times.length
    await memory.commit({ text: 'the backup runs on Fridays' }, { session })
    const { hits, degraded } = await memory.recall('when does the backup run?', { session })
    expect(hits[0]?.text).toBe('the backup runs on Fridays')
    expect(degraded).toEqual(['embed_error: breaker_open'])
    expect(oursIn(session.events, 'commit').at(-1)).toMatchObject({ noVector: 'breaker_open' })
    expect(times).toHaveLength(before)
  })
})

describe('a provider that breaks its word', () => {
  const broken = (embed: () => Promise<never>): EmbeddingProvider => ({
    space: { fingerprint: 'f', dimension: 2, provider: 'p', model: 'm' },
    problem: undefined,
    breaker: 'closed',
    ready: Promise.resolve(),
    embed,
    close: () => Promise.resolve(),
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('boom'))],
    [
      'throws',
      () => {
        throw new Error('boom')
      },
    ],
    ['answers nothing', () => Promise.resolve([] as never)],
  ])('and %s costs the vector and nothing else', async (_, embed) => {
    const embedder = new Embedder(broken(embed), 100)
    expect(await embedder.document(FACT)).toEqual({ noVector: 'internal' })
    expect(await embedder.question(FACT, {})).toEqual({ degraded: 'embed_error: internal' })
    expect(embedder.state).toMatchObject({ failures: { internal: 2 }, lastError: expect.stringContaining('internal') })

    const { memory, host } = await rig()
    const { session } = await agentIn(host)
    const inner = (memory as unknown as { memory: { parts: { embedder: Embedder } } }).memory
    inner.parts = { ...inner.parts, embedder }
    expect(await memory.commit({ text: FACT }, { session })).toMatchObject({ created: true })
    expect((await memory.recall('port 8443', { session })).hits).toMatchObject([{ text: FACT, exact: true }])
  })
})
