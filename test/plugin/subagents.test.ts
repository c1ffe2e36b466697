import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import type { Host } from '../support/host.ts'
import { agentIn, injectedIn, oursIn, recalledIn, rig } from './rig.ts'
import { callTool, recalled, textOf } from './tools/call.ts'

const FACT = 'the runbook lies in drawer 4324'

const CHILDREN: ReadonlyArray<[string, (host: Host) => Promise<Agent>]> = [
  ['by origin', host => host.createAgent({ sessionId: 'child', cwd: host.home, origin: 'subagent' })],
  ['by depth', host => host.createAgent({ sessionId: 'child', cwd: host.home, delegationDepth: 1 })],
]

describe.each(CHILDREN)('a subagent, known %s', (_, child) => {
  it('gets nothing injected for its prompt, though that looks like a human speaking (case 20)', async () => {
    const { host, server, memory } = await rig()
    const agent = await child(host)
    await memory.commit({ text: FACT }, { session: (await agentIn(host)).session })
    const events = await host.runTurn(agent, 'where is the runbook?', { kind: 'user' })
    expect(server.requests).toHaveLength(1)
    expect(recalledIn(server)).toEqual([])
    expect([injectedIn(events), oursIn(events, 'recall')]).toEqual([[], []])
    // Control: the same question of a human's own agent is answered.
    const own = await host.createAgent({ sessionId: 'own', cwd: host.home })
    await host.runTurn(own, 'where is the runbook?')
    expect(recalledIn(server)).toHaveLength(1)
  })

  it('may look things up', async () => {
    const { host, memory } = await rig()
    const agent = await child(host)
    await memory.commit({ text: FACT }, { session: (await agentIn(host)).session })
    expect((await recalled(host, 'runbook', agent)).hits).toMatchObject([{ text: FACT }])
  })

  it('does not write', async () => {
    const { host, memory } = await rig()
    const agent = await child(host)
    const before = agent.session.seq
    const result = await callTool(host, 'stablemem_commit', { text: FACT }, agent)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/subagent.*subagents\.write/)
    expect(agent.session.seq).toBe(before)
    expect(await memory.stats()).toMatchObject({ events: 0 })
  })

  it('writes when it is configured to', async () => {
    const { host } = await rig({ config: { subagents: { write: true } } })
    const agent = await child(host)
    expect((await callTool(host, 'stablemem_commit', { text: FACT }, agent)).isError).toBe(false)
    expect(oursIn(agent.session.events, 'commit')).toHaveLength(1)
  })
})

describe('a subagent beside the human it works for (case 20)', () => {
  it('has its prompt neither asked nor kept as something the human said', async () => {
    const { host, server, memory } = await rig({ config: { cold: { minChars: 0 } } })
    await memory.commit({ text: FACT }, { session: (await agentIn(host)).session })
    const child = await host.createAgent({ sessionId: 'child', cwd: host.home, origin: 'subagent' })
    const prompt = 'delegated: list the files and find the runbook'
    server.push({ text: 'Here they are. '.repeat(40) })
    const events = await host.runTurn(child, prompt)
    expect(events.filter(({ type }) => String(type).startsWith('hologram/'))).toEqual([])
    expect((await memory.stats()).documents.all).toBe(0)
    const { hits } = await memory.recall('delegated list files', { scope: 'all' })
    expect(hits.map(({ text }) => text).join()).not.toContain('delegated')
    // Control: what a human says is kept.
    await host.runTurn(await agentIn(host), 'list the files and find the runbook')
    await expect.poll(async () => (await memory.stats()).documents.all).toBe(1)
  })

  it('that is stuck and never settles holds nobody up: the human is answered, and remembered', async () => {
    const { host, server, memory } = await rig()
    const own = await agentIn(host)
    await memory.commit({ text: FACT }, { session: own.session })
    const child = await host.createAgent({ sessionId: 'stuck', cwd: host.home, origin: 'subagent' })
    server.push(() => new Promise(() => undefined))
    const stuck = host.runTurn(child, 'delegated: list files')
    await expect.poll(() => server.requests.length).toBe(1)
    await host.runTurn(own, 'where is the runbook?')
    const other = await agentIn(host)
    await host.runTurn(other, 'where is the runbook?')
    expect(recalledIn(server)).toHaveLength(1)
    expect(await memory.commit({ text: 'the kettle is descaled' }, { session: other.session })).toMatchObject({
      created: true,
    })
    child.cancel({ kind: 'user' })
    await stuck
  })
})
