import { afterAll, afterEach, describe, expect, it } from 'vitest'
import * as hologram from '../../../src/plugin/index.ts'
import { dumpLines } from '../../../src/readmodels/dump.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { DIMENSION, embeddingService } from '../../support/embedding-service.ts'
import { bootHost, type Host } from '../../support/host.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'

afterAll(removeTempDirs)

const open: Array<{ close(): unknown }> = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function boot(endpoint: string, home = tempDir(), model = 'm1'): Promise<{ host: Host; home: string }> {
  const host = await bootHost({ home })
  open.push({ close: () => host.stop() })
  await host.mount(hologram, { embed: { endpoint, dimension: DIMENSION, model, budgetMs: 5_000 } })
  return { host, home }
}

describe('with an embedding service', () => {
  it('a commit carries its vector, the session names its space once, and a question in other words is answered', async () => {
    const { endpoint } = await embeddingService()
    const { host, home } = await boot(endpoint)
    const { session } = await host.createAgent({ sessionId: 's1', cwd: home })
    const memory = host.ctx.stablemem
    await memory.commit({ text: 'gateway port 8443' }, { session })
    await memory.commit({ text: 'the owner is Lin Wei' }, { session })
    const ours = session.events.filter(event => event.type.startsWith('hologram/'))
    expect(ours.map(event => event.type)).toEqual(['hologram/space', 'hologram/commit', 'hologram/commit'])
    const { hits, degraded } = await memory.recall('which socket?', { session, topK: 1 })
    expect(hits.map(hit => hit.text)).toEqual(['gateway port 8443'])
    expect(degraded).toEqual([])
    expect((await memory.stats()).spaces).toMatchObject([{ dimension: DIMENSION, vectors: 2, missing: 0 }])
  })

  it('a rebuild from the logs has the same vectors, bit for bit, with the service down', async () => {
    const { endpoint } = await embeddingService()
    const { host, home } = await boot(endpoint)
    const { session } = await host.createAgent({ sessionId: 's1', cwd: home })
    await host.ctx.stablemem.commit({ text: 'gateway port 8443' }, { session })
    const { path } = await host.ctx.stablemem.stats()
    for (const one of open.splice(0).reverse()) await one.close()
    const live = new Store({ path, journal: `${home}/none`, keepJournal: true })
    const rebuilt = new Store({ path: `${home}/rebuilt.db`, journal: `${home}/none`, keepJournal: true })
    await rebuilt.catchUpLogs([host.sessionsRoot])
    const lines = [...dumpLines(live.database)]
    expect(lines.some(line => line.startsWith('["vector"'))).toBe(true)
    expect([...dumpLines(rebuilt.database)]).toEqual(lines)
    live.close()
    rebuilt.close()
  })

  it('a service that refuses takes no memory down: it is found by its words, and the reason is shown', async () => {
    const { endpoint } = await embeddingService({ status: 400 })
    const { host, home } = await boot(endpoint)
    const { session } = await host.createAgent({ sessionId: 's1', cwd: home })
    const memory = host.ctx.stablemem
    expect(await memory.commit({ text: 'gateway port 8443' }, { session })).toMatchObject({ created: true })
    const commit = session.events.find(event => event.type === 'hologram/commit')
    expect(commit?.data).toMatchObject({ noVector: 'http_status' })
    const answer = await memory.recall('gateway port', { session })
    expect(answer.hits).toHaveLength(1)
    expect(answer.degraded).toEqual(['embed_error: http_status'])
    expect(answer.counters.skipped).toEqual({ noVector: 1 })
  })

  it('an empty memory sends no question anywhere, and a question never sends a secret', async () => {
    const { endpoint, texts } = await embeddingService()
    const { host, home } = await boot(endpoint)
    const { session } = await host.createAgent({ sessionId: 's1', cwd: home })
    const memory = host.ctx.stablemem
    await memory.recall('which socket?', { session })
    expect(texts).toEqual([])
    await memory.commit({ text: 'gateway port 8443' }, { session })
    await memory.recall('does password=Zx9!synthetic open the gateway port?', { session })
    expect(texts.join('\n')).not.toContain('Zx9!synthetic')
    expect(texts).toHaveLength(2)
  })

  it('another model is another space: old vectors are not compared, words still find, and the rest is brought later (case 24)', async () => {
    const { endpoint } = await embeddingService()
    const first = await boot(endpoint)
    const one = await first.host.createAgent({ sessionId: 's1', cwd: first.home })
    await first.host.ctx.stablemem.commit({ text: 'gateway port 8443' }, { session: one.session })
    await first.host.stop()
    const { host } = await boot(endpoint, first.home, 'm2')
    const two = await host.createAgent({ sessionId: 's2', cwd: first.home })
    const memory = host.ctx.stablemem
    expect((await memory.recall('gateway port', { session: two.session })).hits).toHaveLength(1)
    // The backfill brings the vectors of the new space without being asked.
    await expect
      .poll(async () => (await memory.stats()).spaces.map(({ vectors, missing }) => [vectors, missing]), {
        timeout: 20_000,
      })
      .toEqual([
        [1, 0],
        [1, 0],
      ])
    expect((await memory.recall('which socket?', { session: two.session })).hits).toHaveLength(1)
  })
})
