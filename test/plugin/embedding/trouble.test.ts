/** What is told of an embedder that does not work, and what is never told. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelFolder } from '../../embedding/support/model-folder.ts'
import { serve } from '../../embedding/support/server.ts'
import { DIMENSION, embeddingService } from '../../support/embedding-service.ts'
import { agentIn, rig } from '../rig.ts'

const KEY = 'sk-synthetic-0123456789-abcdef'

describe('a local model that cannot run', () => {
  it.each([
    ['whose folder is not there', () => '/no/such/folder', 'model_unusable'],
    ['whose package is not installed', modelFolder, 'peer_missing'],
  ])('%s is told in the log and in status, once, and memory goes on by words', async (_, folder, code) => {
    const { host, memory } = await rig({ commands: true, config: { embed: { directory: folder() } } })
    const told = () => host.logs.filter(({ type, text }) => type === 'error' && text.includes('there are no vectors'))
    await expect.poll(told, { timeout: 20_000 }).toHaveLength(1)
    expect(told()[0]?.text).toContain(code)
    const agent = await agentIn(host)
    await memory.commit({ text: 'the gateway port is 8443' }, { session: agent.session })
    const answer = await memory.recall('gateway port', { session: agent.session })
    expect(answer.hits).toHaveLength(1)
    expect(answer.degraded).toContain(`no_embedder: ${code}`)
    const { problem } = (await memory.stats()).embedding ?? {}
    expect(problem).toEqual(expect.any(String))
    const done = await host.ctx.commands.execute(agent, '/memory status', [], new AbortController().signal)
    expect(done?.result.text).toContain(`there are no vectors: ${problem}`)
  })
})

describe('late vectors', () => {
  it('are brought together once the service answers, and status says so', async () => {
    const service = await embeddingService({ status: 400 })
    const config = { embed: { endpoint: service.endpoint, dimension: DIMENSION, budgetMs: 5_000 } }
    const first = await rig({ config })
    const { session } = await agentIn(first.host)
    const texts = ['the gateway port is 8443', 'the owner is Lin Wei', 'the backup runs on Fridays']
    for (const text of texts) await first.memory.commit({ text }, { session })
    await first.host.stop()
    delete service.now.status
    const { host, memory } = await rig({ config, commands: true, home: first.host.home })
    await expect.poll(async () => (await memory.stats()).embedding?.backfill?.brought, { timeout: 20_000 }).toBe(3)
    const agent = await agentIn(host)
    const done = await host.ctx.commands.execute(agent, '/memory status', [], new AbortController().signal)
    expect(done?.result.text).toContain('3 late vectors were brought')
    expect(done?.result.text).toMatch(/space http:.*: 3 vectors, 0 blocks without one/)
  })
})

describe('the key', () => {
  it('is in no log, error, event, status or page, whatever the service says', async () => {
    const behaviours = ['401', 'error', 'html', 'redirect', 'good']
    let at = 0
    const { endpoint, got } = await serve((_, response) => {
      const how = behaviours[at++ % behaviours.length]
      const body = JSON.stringify({ error: { message: `bad key ${KEY} in Bearer ${KEY}` } })
      if (how === '401') response.writeHead(401).end(body)
      else if (how === 'error') response.writeHead(200).end(body)
      else if (how === 'html') response.writeHead(200).end(`<html>${KEY}</html>`)
      else if (how === 'redirect') response.writeHead(302, { location: `http://127.0.0.1:9/?key=${KEY}` }).end()
      else response.writeHead(200).end(JSON.stringify({ embedding: new Array(DIMENSION).fill(1) }))
    })
    const config = { embed: { endpoint, dimension: DIMENSION, apiKey: KEY, budgetMs: 5_000 } }
    const { host, memory } = await rig({ config, compression: 'none' })
    const { session } = await agentIn(host)
    const said: unknown[] = []
    for (let n = 0; n < 6; n++) {
      said.push(await memory.commit({ text: `note ${n} of the port` }, { session }))
      said.push(await memory.recall('which port?', { session }))
    }
    said.push(await memory.stats(), await memory.history((said[0] as { id: string }).id, { session }))
    expect(got[0]?.authorization).toBe(`Bearer ${KEY}`)
    expect(JSON.stringify([said, session.events, host.logs])).not.toContain(KEY)
    await host.stop()
    const files = readdirSync(host.home, { recursive: true, encoding: 'utf8' })
      .map(name => join(host.home, name))
      .filter(path => statSync(path).isFile())
    expect(files.some(path => path.endsWith('memory.db'))).toBe(true)
    for (const path of files) expect(readFileSync(path).includes(KEY), path).toBe(false)
  })
})
