/** Case 36 on the real host: forks, resumes, logs that go or shrink, and subagents: what was said once counts once. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import * as plugin from '../../src/plugin/index.ts'
import type { Host } from '../support/host.ts'
import { tempDir } from '../support/temp.ts'
import { agentIn, boot, memoryOf, oursIn, PATIENT, rig } from './rig.ts'

const said = (n: number) => `note ${n} of the lineage: drawer ${4_000 + n}`

async function commitAll(host: Host, agent: Agent, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) await memoryOf(host).commit({ text: said(n) }, { session: agent.session })
}

function fork(host: Host, parent: Agent, sessionId: string, cwd = host.home): Promise<Agent> {
  const { id, events, seq } = parent.session
  return host.createAgent({ sessionId, cwd, parentSession: id, seed: events, seedLength: seq })
}

/** How many places all blocks together were said, as recall counts them; and that no block was said twice. */
async function places(host: Host, agent: Agent): Promise<number> {
  const { hits } = await memoryOf(host).recall('lineage drawer', { session: agent.session, topK: 100 })
  expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
  return hits.reduce((sum, hit) => sum + hit.places, 0)
}

async function resumed(host: Host, agent: Agent): Promise<Agent> {
  await host.flush(agent)
  await host.disposeAgent(agent)
  return host.resumeAgent(agent.session.id)
}

/** A host on what is stored, once it has read so many events. */
async function rebuiltIn(home: string, sessionsRoot: string, events: number): Promise<Host> {
  const { host } = await boot({ home, sessionsRoot })
  await host.mount(plugin, PATIENT)
  // Logs are read in the background.
  const end = performance.now() + 20_000
  while ((await memoryOf(host).stats()).events < events && performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return host
}

const DATABASE = ['memory.db', 'memory.db-wal', 'memory.db-shm']
function forget(home: string, ...names: readonly string[]): void {
  for (const name of names) rmSync(join(home, 'hologram', name), { recursive: true, force: true })
}

describe('case 36', () => {
  it('parent of 12, fork at 12, 3 of the child, both resumed twice: 15 places, not 27, rebuilt too', async () => {
    const { host } = await rig()
    let parent = await agentIn(host)
    await commitAll(host, parent, 0, 12)
    let child = await fork(host, parent, 'child')
    expect(oursIn(child.session.events, 'commit')).toHaveLength(12)
    await commitAll(host, child, 12, 15)
    expect(await places(host, parent)).toBe(15)
    for (let twice = 0; twice < 2; twice++) {
      parent = await resumed(host, parent)
      child = await resumed(host, child)
      expect([await places(host, parent), (await memoryOf(host).stats()).events]).toEqual([15, 15])
    }
    const { hits } = await memoryOf(host).recall('drawer 4003', { session: child.session })
    expect(hits[0]).toMatchObject({ id: blockId(said(3)), places: 1, said: [{ session: parent.session.id }] })

    // Going on in both, clocks rise.
    await commitAll(host, child, 15, 16)
    await commitAll(host, parent, 16, 17)
    const clocks = oursIn(parent.session.events, 'commit').map(({ clock }) => Number(clock))
    expect(clocks).toEqual([...new Set(clocks)].sort((a, b) => a - b))
    await host.stop()

    for (const lost of [DATABASE, [...DATABASE, 'journal']]) {
      forget(host.home, ...lost)
      const again = await rebuiltIn(host.home, host.sessionsRoot, 17)
      expect(await places(again, await agentIn(again))).toBe(17)
      await again.stop()
    }
  })

  it('gives a text one id and one memory, whichever session says it', async () => {
    const { host, memory } = await rig()
    const agents = [await agentIn(host), await agentIn(host), await host.createAgent({ sessionId: 'elsewhere' })]
    const ids = await Promise.all(agents.map(({ session }) => memory.commit({ text: said(1) }, { session })))
    expect(new Set(ids.map(({ id }) => id))).toEqual(new Set([blockId(said(1))]))
    expect((await memory.stats()).blocks).toBe(2)
  })
})

describe('what was said stays', () => {
  it('when the logs it was said in are deleted', async () => {
    const { host } = await rig()
    const agent = await agentIn(host)
    await commitAll(host, agent, 0, 3)
    await host.stop()
    rmSync(host.sessionsRoot, { recursive: true })
    for (const lost of [[], DATABASE]) {
      forget(host.home, ...lost)
      const again = await rebuiltIn(host.home, host.sessionsRoot, 3)
      expect(await places(again, await agentIn(again))).toBe(3)
      await again.stop()
    }
  })

  it('when a log is shorter than it was, and goes on from there', async () => {
    const { host } = await rig({ compression: 'none' })
    const agent = await agentIn(host)
    await commitAll(host, agent, 0, 4)
    await host.flush(agent)
    await host.stop()
    const log = logOf(host.sessionsRoot, agent.session.id)
    const text = readFileSync(log, 'utf8')
    truncateSync(log, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)))
    const { host: again } = await boot({ home: host.home, compression: 'none' })
    await again.mount(plugin, PATIENT)
    const back = await again.resumeAgent(agent.session.id)
    await commitAll(again, back, 4, 6)
    expect(await places(again, back)).toBe(6)
    await again.stop()
    forget(host.home, ...DATABASE)
    const rebuilt = await rebuiltIn(host.home, host.sessionsRoot, 6)
    expect(await places(rebuilt, await agentIn(rebuilt))).toBe(6)
  })

  it('when the log of one session is spoiled, that of its fork has it', async () => {
    const { host } = await rig({ compression: 'none' })
    const parent = await agentIn(host)
    await commitAll(host, parent, 0, 4)
    const child = await fork(host, parent, 'child')
    await commitAll(host, child, 4, 5)
    await host.stop()
    writeFileSync(logOf(host.sessionsRoot, parent.session.id), 'spoiled\n')
    forget(host.home, ...DATABASE, 'journal')
    const again = await rebuiltIn(host.home, host.sessionsRoot, 5)
    expect(await places(again, await agentIn(again))).toBe(5)
  })
})

describe.each([
  ['project', { there: 0, fork: 1 }],
  ['session', { there: 0, fork: 1 }],
  ['team', { there: 1, fork: 1 }],
] as const)('namespace: %s', (namespace, expected) => {
  it('holds for every act: purge, merge, edges and history, of a fork and of a stranger', async () => {
    const { host, memory } = await rig({ config: { namespace } })
    const parent = await agentIn(host)
    await commitAll(host, parent, 0, 2)
    const [one, two] = [blockId(said(0)), blockId(said(1))]
    const elsewhere = join(tempDir(), 'elsewhere')
    mkdirSync(elsewhere)
    const agents = { there: await agentIn(host, elsewhere), fork: await fork(host, parent, 'child') }
    const edge = { sourceKind: 'block', sourceId: one, targetKind: 'block', targetId: two, type: 'near' } as const
    for (const [who, { session }] of Object.entries(agents)) {
      const acts = [
        () => memory.link(edge, { session }),
        () => memory.merge({ keep: one, drop: two }, { session }),
        () => memory.purge({ ids: [two] }, { session }),
      ]
      const knows = expected[who as 'there' | 'fork'] === 1
      expect((await memory.history(one, { session })).entries.length > 0).toBe(knows)
      if (!knows) {
        for (const act of acts) await expect(act()).rejects.toThrow('does not exist')
      }
    }
    await memory.link(edge, agents.fork)
    await memory.purge({ ids: [two] }, agents.fork)
    expect(await places(host, parent)).toBe(1)
    expect((await memory.history(one, parent)).entries.map(({ verb }) => verb)).toEqual(['commit', 'link'])
  })
})

describe('a subagent', () => {
  it('reads the memory of the project it works in, and what it may write counts once', async () => {
    const { host, memory } = await rig({ config: { subagents: { write: true } } })
    const parent = await agentIn(host)
    await commitAll(host, parent, 0, 2)
    const child = await host.createAgent({
      sessionId: 'sub',
      cwd: host.home,
      origin: 'subagent',
      parentSession: parent.session.id,
    })
    expect(await places(host, child)).toBe(2)
    await memory.commit({ text: said(0) }, { session: child.session })
    expect(await places(host, parent)).toBe(3)
    const { hits } = await memory.recall('drawer 4000', { session: parent.session })
    expect(hits[0]?.said.map(({ session }) => session)).toEqual([parent.session.id, 'sub'])
  })
})

/** Below a root, the log of a session. */
function logOf(root: string, id: string): string {
  const [found] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    path => path.includes(id) && path.endsWith('session.jsonl'),
  )
  if (found === undefined) throw new Error(`there is no log of ${id}`)
  return join(root, found)
}
