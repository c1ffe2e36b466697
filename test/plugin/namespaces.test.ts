import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../support/temp.ts'
import { agentIn, oursIn, type Rig, rig } from './rig.ts'

const FACT = 'the staging port is 13010'

/** Whether what one agent committed is found by another, and by itself. */
async function shared({ memory }: Rig, from: Agent, to: Agent): Promise<boolean> {
  await memory.commit({ text: FACT }, { session: from.session })
  expect((await memory.recall('13010', { session: from.session })).hits).toHaveLength(1)
  return (await memory.recall('13010', { session: to.session })).hits.length === 1
}

function folder(name: string): string {
  const path = join(tempDir(), name)
  mkdirSync(path)
  return path
}

describe('namespace: project', () => {
  it('sessions of one workspace share their memory', async () => {
    const made = await rig()
    const cwd = folder('desk')
    expect(await shared(made, await agentIn(made.host, cwd), await agentIn(made.host, cwd))).toBe(true)
  })

  it('sessions of different workspaces do not, though both are called the same', async () => {
    const made = await rig()
    expect(await shared(made, await agentIn(made.host, folder('desk')), await agentIn(made.host, folder('desk')))).toBe(
      false,
    )
  })

  it('a workspace reached through a symbolic link is the same one', async () => {
    const made = await rig()
    const cwd = folder('desk')
    const link = join(tempDir(), 'link')
    symlinkSync(cwd, link)
    expect(await shared(made, await agentIn(made.host, link), await agentIn(made.host, cwd))).toBe(true)
  })

  it('where the process was started plays no part', async () => {
    const made = await rig()
    expect(await shared(made, await agentIn(made.host, folder('desk')), await agentIn(made.host, process.cwd()))).toBe(
      false,
    )
  })

  it('a workspace that is gone keeps its memory', async () => {
    const made = await rig()
    const cwd = folder('desk')
    const first = await agentIn(made.host, cwd)
    rmSync(cwd, { recursive: true })
    expect(await shared(made, first, await agentIn(made.host, cwd))).toBe(true)
  })

  it('sessions without a workspace are each their own', async () => {
    const made = await rig()
    const [a, b] = [
      await made.host.createAgent({ sessionId: 'alone-1' }),
      await made.host.createAgent({ sessionId: 'alone-2' }),
    ]
    expect(await shared(made, a, b)).toBe(false)
  })

  it('an event names its project by a hash and the last part of its path, and nothing else of it', async () => {
    const { host, memory } = await rig()
    const cwd = folder('desk')
    const { session } = await agentIn(host, cwd)
    await memory.commit({ text: FACT }, { session })
    const [event] = oursIn(session.events, 'commit')
    expect(event?.ns).toEqual({ id: expect.stringMatching(/^ns_[0-9a-f]{24}$/), label: 'desk' })
    expect(JSON.stringify(event)).not.toContain(join(cwd, '..'))
  })

  it('what is committed outside of any session is found there, and in no project', async () => {
    const { host, memory } = await rig()
    await memory.commit({ text: FACT })
    expect((await memory.recall('13010')).hits).toHaveLength(1)
    const { session } = await agentIn(host)
    expect((await memory.recall('13010', { session })).hits).toEqual([])
  })
})

describe('namespace: session', () => {
  it('sessions of one workspace do not share', async () => {
    const made = await rig({ config: { namespace: 'session' } })
    expect(await shared(made, await agentIn(made.host), await agentIn(made.host))).toBe(false)
  })

  it('a fork, and a fork of it, share with the session they come from', async () => {
    const made = await rig({ config: { namespace: 'session' } })
    const { host, memory } = made
    const root = await agentIn(host)
    const child = await host.createAgent({ sessionId: 'fork-1', parentSession: root.session.id })
    const grandchild = await host.createAgent({ sessionId: 'fork-2', parentSession: child.session.id })
    expect(await shared(made, root, grandchild)).toBe(true)
    await memory.commit({ text: 'the kettle is new' }, { session: grandchild.session })
    expect((await memory.recall('kettle', { session: root.session })).hits).toHaveLength(1)
  })

  it('a fork finds its root among stored sessions too', async () => {
    const made = await rig({ config: { namespace: 'session' } })
    const { host, server } = made
    server.push({ text: 'hello' }, { text: 'hello' })
    const root = await agentIn(host)
    await host.runTurn(root, 'hi')
    const child = await host.createAgent({ sessionId: 'fork-3', parentSession: root.session.id })
    await host.runTurn(child, 'hi')
    await host.flush(child)
    await made.memory.commit({ text: FACT }, { session: root.session })
    await host.disposeAgent(child)
    const grandchild = await host.createAgent({ sessionId: 'fork-4', parentSession: child.session.id })
    expect((await made.memory.recall('13010', { session: grandchild.session })).hits).toHaveLength(1)
  })
})

describe('namespace: a name', () => {
  it('is shared by every session, wherever it works', async () => {
    const made = await rig({ config: { namespace: 'team' } })
    expect(await shared(made, await agentIn(made.host, folder('a')), await agentIn(made.host, folder('b')))).toBe(true)
    expect((await made.memory.recall('13010')).hits).toHaveLength(1)
  })
})
