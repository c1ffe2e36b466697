/** A call that is aborted ends at once; what was decided before that is written all the same (W1, W5). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, oursIn, rig } from '../rig.ts'
import { callTool } from './call.ts'

const FACT = 'the ladder is behind the shed'
const open: Array<() => unknown> = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** An embedding service that takes a request and never answers it. */
async function silentService(): Promise<string> {
  const server = createServer(() => undefined)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/embed`
}

/** Calls a tool, aborts it after 100 ms, and says how long it took to end after that, in milliseconds. */
async function aborted(run: (signal: AbortSignal) => Promise<{ readonly isError: boolean }>): Promise<number> {
  const abort = new AbortController()
  let at = Number.NaN
  setTimeout(() => {
    at = performance.now()
    abort.abort()
  }, 100)
  expect((await run(abort.signal)).isError).toBe(true)
  return performance.now() - at
}

const embed = (endpoint: string) => ({ endpoint, dimension: 4, budgetMs: 20_000, timeoutMs: 30_000 })

describe('an aborted call', () => {
  it('a commit whose text is being embedded ends at once, and is remembered without a vector', async () => {
    const { host, memory } = await rig({ config: { embed: embed(await silentService()) } })
    const agent = await agentIn(host)
    const took = await aborted(signal => callTool(host, 'stablemem_commit', { text: FACT }, agent, signal))
    expect(took).toBeLessThan(1_000)
    expect(oursIn(agent.session.events, 'commit')).toMatchObject([{ text: FACT, noVector: 'aborted' }])
    expect(oursIn(agent.session.events, 'space')).toEqual([])
    const { entries } = await memory.history(blockId(FACT), { session: agent.session })
    expect(entries.map(({ what }) => what)).toEqual(['said by tool'])
  })

  it('a commit ends at once though the database does not answer, and is in the session for the next start', async () => {
    const made = await rig()
    const { host } = made
    const agent = await agentIn(host)
    const { thread } = modelOf(made)
    if (thread === undefined) throw new Error('there is no worker')
    const post = thread.postMessage.bind(thread)
    thread.postMessage = () => undefined
    const took = await aborted(signal => callTool(host, 'stablemem_commit', { text: FACT }, agent, signal))
    expect(took).toBeLessThan(1_000)
    expect(oursIn(agent.session.events, 'commit')).toMatchObject([{ text: FACT }])
    thread.postMessage = post
  })

  it.each([
    ['purge', { ids: [blockId(FACT)], reason: 'x' }],
    ['merge', { keep: blockId(FACT), drop: blockId('other') }],
    ['link', { type: 'x', sourceKind: 'block', sourceId: blockId(FACT), targetKind: 'entity', targetId: 'shed' }],
    ['history', { id: blockId(FACT) }],
    ['recall', { query: 'ladder' }],
  ])('%s, still looking, ends at once and does nothing', async (verb, args) => {
    const made = await rig()
    const agent = await agentIn(made.host)
    await made.memory.commit({ text: FACT }, { session: agent.session })
    const { thread } = modelOf(made)
    if (thread === undefined) throw new Error('there is no worker')
    const post = thread.postMessage.bind(thread)
    thread.postMessage = () => undefined
    const before = agent.session.seq
    const took = await aborted(signal => callTool(made.host, `stablemem_${verb}`, args, agent, signal))
    expect(took).toBeLessThan(1_000)
    thread.postMessage = post
    await made.memory.recall('ladder', { session: agent.session })
    expect(agent.session.seq).toBe(before)
  })
})

describe('a recall has one deadline over all it waits for', () => {
  it('embedding the question and the search share it', async () => {
    const made = await rig({ config: { embed: embed(await silentService()) } })
    const agent = await agentIn(made.host)
    const commit = new AbortController()
    const committing = callTool(made.host, 'stablemem_commit', { text: FACT }, agent, commit.signal)
    setTimeout(() => commit.abort(), 50)
    await committing
    const model = modelOf(made)
    const asked: Array<number | undefined> = []
    const { recall } = model
    model.recall = (request, options) => {
      asked.push(options?.deadline)
      return recall.call(model, request, options)
    }
    // A worker that still starts is no part of it.
    await made.memory.stats()
    const started = performance.now()
    const answer = await made.memory.recall('ladder', { session: agent.session, deadline: 2_000 })
    // A busy machine is late at the end of it, not by a second deadline.
    expect(performance.now() - started).toBeLessThan(3_200)
    expect(answer.degraded).toEqual(['embed_error: deadline'])
    expect(answer.hits).toHaveLength(1)
    // Six tenths of it went to the embedding; a search that hangs would get what is left, not all of it again.
    expect(asked[0]).toBeLessThan(1_000)
  })

  it('a workspace that cannot be looked at in time is in it', async () => {
    const made = await rig()
    const agent = await agentIn(made.host)
    const { memory } = made.memory as unknown as { memory: { parts: { namespaces: { of: unknown } } } }
    memory.parts.namespaces.of = () => new Promise(() => undefined)
    const started = performance.now()
    await expect(made.memory.recall('x', { session: agent.session, deadline: 200 })).rejects.toMatchObject({
      code: 'deadline',
    })
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
