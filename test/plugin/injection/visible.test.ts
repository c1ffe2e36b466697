import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, injectedIn, type Rig, rig } from '../rig.ts'

const QUESTION = 'where is the runbook?'
/** Long enough that a summary of it is shorter, as the host demands. */
const TALK = 'Let us talk about the weather in some detail. '.repeat(60)

async function withNote(options: Parameters<typeof rig>[0] = {}): Promise<Rig & { agent: Agent }> {
  const made = await rig({ compaction: { auto: false }, ...options })
  await made.memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(made.host)).session })
  return { ...made, agent: await agentIn(made.host) }
}

/** Recalls the model sees in the newest request: the message stays in its context, so they are counted there. */
const seen = ({ server }: Rig) => textsOf(server.last(), 'user').join('\n').split('drawer 4324').length - 1

async function compact({ host, server }: Rig, agent: Agent): Promise<void> {
  server.push({ text: '## Primary Request and Intent\n- the weather' })
  const result = await host.ctx.compaction.compactNow(agent, new AbortController().signal)
  if (result === null) throw new Error('nothing was compacted')
}

describe('a note the model still sees', () => {
  it('is not injected again, however often it is asked for', async () => {
    const made = await withNote()
    for (let turn = 0; turn < 4; turn++) {
      await made.host.runTurn(made.agent, QUESTION)
      expect(seen(made)).toBe(1)
    }
    expect(injectedIn(made.agent.session.events)).toHaveLength(1)
  })

  it('is injected again, once, after the host replaced the span it was in (case 38)', async () => {
    const made = await withNote()
    const { host, server, agent } = made
    server.push({ text: TALK })
    await host.runTurn(agent, QUESTION)
    expect(seen(made)).toBe(1)
    await host.runTurn(agent, 'thank you')
    await compact(made, agent)
    await host.runTurn(agent, 'thank you')
    expect(seen(made)).toBe(0)
    await host.runTurn(agent, QUESTION)
    expect(seen(made)).toBe(1)
    await host.runTurn(agent, QUESTION)
    expect(seen(made)).toBe(1)
    expect(injectedIn(agent.session.events)).toHaveLength(2)
  })

  it('what compaction takes away during the same step is put back in that step', async () => {
    const made = await withNote()
    const { host, server, agent } = made
    server.push({ text: TALK })
    await host.runTurn(agent, QUESTION)
    await host.runTurn(agent, 'thank you')
    const off = host.ctx.on('agent/pre-step', async ({ agent: stepping, signal }, next) => {
      const { nodes } = stepping.session.surface
      server.push({ text: '## Current Work\n- the weather' })
      await host.ctx.compaction.compactRegion(Number(nodes[0]), Number(nodes.at(-1)), stepping, signal)
      return next()
    })
    await host.runTurn(agent, QUESTION)
    off()
    expect(seen(made)).toBe(1)
    expect(injectedIn(agent.session.events)).toHaveLength(2)
  })

  it('is known again after the session was stored and resumed', async () => {
    const made = await withNote()
    await made.host.runTurn(made.agent, QUESTION)
    await made.host.disposeAgent(made.agent)
    const resumed = await made.host.resumeAgent(made.agent.session.id)
    await made.host.runTurn(resumed, QUESTION)
    expect(seen(made)).toBe(1)
    expect(injectedIn(resumed.session.events)).toHaveLength(1)
  })

  it('is known in a fork, which inherits what its parent saw', async () => {
    const made = await withNote()
    const { host, agent } = made
    await host.runTurn(agent, QUESTION)
    const seed = agent.session.events
    const parts = { parentSession: agent.session.id, seed, seedLength: seed.length }
    const fork = await host.createAgent({ sessionId: 'fork', cwd: host.home, ...parts })
    await host.runTurn(fork, QUESTION)
    expect(seen(made)).toBe(1)
    expect(injectedIn(fork.session.events)).toHaveLength(1)
  })

  it('is not injected where the model has just said it itself', async () => {
    const text = 'the gate code is 9071'
    const made = await rig({
      answers: [{ toolCalls: [{ name: 'stablemem_commit', arguments: { text } }] }, { text: 'noted' }],
    })
    const agent = await agentIn(made.host)
    await made.host.runTurn(agent, 'the code of the gate is 9071, remember it')
    const events = await made.host.runTurn(agent, 'what is the gate code?')
    expect(injectedIn(events)).toEqual([])
    const other = await agentIn(made.host)
    expect(injectedIn(await made.host.runTurn(other, 'what is the gate code?'))).toHaveLength(1)
  })

  it('is not injected where the model has just looked it up, and is once that is out of its sight', async () => {
    const made = await withNote()
    const { host, server, agent } = made
    server.push({ toolCalls: [{ name: 'stablemem_recall', arguments: { query: 'runbook' } }] }, { text: TALK })
    await host.runTurn(agent, 'look it up, please')
    expect(textsOf(server.last(), 'tool').join()).toContain('drawer 4324')
    await host.runTurn(agent, QUESTION)
    expect(injectedIn(agent.session.events)).toEqual([])
    await compact(made, agent)
    await host.runTurn(agent, 'thank you')
    await host.runTurn(agent, QUESTION)
    await host.runTurn(agent, QUESTION)
    expect(injectedIn(agent.session.events)).toHaveLength(1)
  })
})
