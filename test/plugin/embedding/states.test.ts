/** Why a memory was not compared by meaning: each state is told apart, counted, and shown where it matters. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import { BY_WORDS_ALONE } from '../../../src/plugin/injection/frame.ts'
import { run } from '../../cli/run.ts'
import { DIMENSION, embeddingService } from '../../support/embedding-service.ts'
import { agentIn, allRead, injectedIn, oursIn, type Rig, rig } from '../rig.ts'

const PORT = 'the gateway port is 8443'
const OWNER = 'the owner of the ladder is Lin Wei'

const embed = (endpoint: string, over = {}) => ({ endpoint, dimension: DIMENSION, budgetMs: 5_000, ...over })

/** A plugin over a home that may hold memories already, with an agent. */
async function begin(config: object, home?: string) {
  const made = await rig({
    commands: true,
    config: { ...config, namespace: 'shared' },
    ...(home === undefined ? {} : { home }),
  })
  const agent = await agentIn(made.host)
  await allRead(made.memory)
  const commit = (text: string) => made.memory.commit({ text }, { session: agent.session })
  const ask = (query: string, options = {}) => made.memory.recall(query, { session: agent.session, ...options })
  return { ...made, agent, commit, ask }
}

async function status({ host, agent }: Pick<Rig, 'host'> & { readonly agent: Agent }): Promise<string> {
  const done = await host.ctx.commands.execute(agent, '/memory status', [], new AbortController().signal)
  return done?.result.text ?? ''
}

describe('what was not compared by meaning', () => {
  it('noVector: a memory without a vector is counted, and the search is hybrid', async () => {
    const service = await embeddingService()
    const { commit, ask } = await begin({ embed: embed(service.endpoint) })
    await commit(PORT)
    service.now.status = 400
    await commit(OWNER)
    delete service.now.status
    const { counters, degraded, hits } = await ask('which socket, and who is responsible for the ladder?')
    expect(counters.skipped).toMatchObject({ noVector: 1 })
    expect(degraded).toEqual(['hybrid: noVector 1'])
    expect(hits.map(({ text }) => text).sort()).toEqual([PORT, OWNER].sort())
  })

  it('unknownSpace: the question lies in a space that nothing here is of', async () => {
    const service = await embeddingService()
    const first = await begin({ embed: embed(service.endpoint, { fingerprint: 'http:a:8:00000000' }) })
    await first.commit(PORT)
    await first.host.stop()
    service.now.status = 400
    const { ask, memory } = await begin(
      { embed: embed(service.endpoint, { fingerprint: 'http:b:8:00000000' }) },
      first.host.home,
    )
    // Let the job that would bring the vector fail first.
    await expect.poll(async () => (await memory.stats()).embedding?.backfill?.failed, { timeout: 20_000 }).toBe(1)
    delete service.now.status
    const { counters, degraded, hits } = await ask('gateway port')
    expect(counters.skipped).toMatchObject({ unknownSpace: 1 })
    expect(degraded).toEqual(['unknownSpace'])
    expect(hits).toHaveLength(1)
  })

  it('spaceMismatch: a memory of another space, which is counted as one to be embedded anew', async () => {
    const service = await embeddingService()
    const first = await begin({ embed: embed(service.endpoint, { fingerprint: 'http:a:8:00000000' }) })
    await first.commit(PORT)
    await first.host.stop()
    service.now.status = 400
    const next = await begin({ embed: embed(service.endpoint, { fingerprint: 'http:b:8:00000000' }) }, first.host.home)
    await expect.poll(async () => (await next.memory.stats()).embedding?.backfill?.failed, { timeout: 20_000 }).toBe(1)
    delete service.now.status
    await next.commit(OWNER)
    const { counters, degraded } = await next.ask('who is responsible for the gateway port?')
    expect(counters.skipped).toMatchObject({ spaceMismatch: 1 })
    expect(degraded).toEqual(['hybrid: spaceMismatch 1'])
    expect((await next.memory.stats()).spaces).toMatchObject([
      { fingerprint: 'http:a:8:00000000', vectors: 1, missing: 1 },
      { fingerprint: 'http:b:8:00000000', vectors: 1, missing: 1 },
    ])
    expect(await status(next)).toContain('http:b:8:00000000: 1 vectors, 1 blocks without one')
  })

  it('embedFailure: a question that could not be embedded; it is in result, status, event and what the model reads', async () => {
    const service = await embeddingService()
    const made = await begin({ embed: embed(service.endpoint) })
    await made.commit(PORT)
    service.now.status = 500
    const { counters, degraded, hits } = await made.ask('gateway port')
    expect(counters.skipped).toEqual({ embedFailure: 1 })
    expect(degraded).toEqual(['embed_error: http_status'])
    expect(hits).toHaveLength(1)
    expect((await made.memory.stats()).embedding).toMatchObject({
      failures: { http_status: 1 },
      lastError: expect.stringContaining('http_status'),
    })
    expect(await status(made)).toMatch(/1 texts or questions got no vector: http_status/)
    // Who looks from outside of this process sees it too.
    const lines = () => run(['status', '--home', made.host.home]).then(({ stdout }) => stdout)
    await expect
      .poll(lines, { timeout: 20_000 })
      .toMatch(/last trouble, .* a text or question got no vector: http_status/)

    const other = await agentIn(made.host)
    const events = await made.host.runTurn(other, 'What is the gateway port?')
    const [injected] = injectedIn(events)
    expect(injected?.text).toContain(BY_WORDS_ALONE)
    expect(injected?.text).toContain('8443')
    expect(oursIn(events, 'recall')).toMatchObject([{ degraded: [expect.stringMatching(/^embed_error: /)] }])

    delete service.now.status
    const whole = await agentIn(made.host)
    await expect
      .poll(
        async () => {
          const [message] = injectedIn(await made.host.runTurn(whole, 'What is the gateway port, the socket?'))
          return message?.text.includes(BY_WORDS_ALONE)
        },
        { timeout: 1_000, interval: 50 },
      )
      .toBe(false)
  })

  it('settings that cannot be used are no_embedder, told at the start, in status and with every answer', async () => {
    const { memory, commit, ask } = await begin({ embed: { endpoint: 'http://127.0.0.1:9/embed' } })
    await commit(PORT)
    const { degraded, counters } = await ask('gateway port')
    expect(degraded).toContain('no_embedder: no_space')
    expect(counters.skipped).toEqual({ noVector: 1 })
    expect((await memory.stats()).embedding).toMatchObject({
      space: null,
      problem: expect.stringContaining('embed.dimension'),
    })
  })

  it('without settings nothing is wanted, and nothing is lacking', async () => {
    const { memory, commit, ask } = await begin({})
    await commit(PORT)
    expect(await ask('gateway port')).toMatchObject({ degraded: [], counters: { skipped: {} } })
    expect((await memory.stats()).embedding).toBeUndefined()
  })
})
