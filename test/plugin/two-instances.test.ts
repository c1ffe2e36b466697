/** Two mounts in one harness, and what is left when one of them goes: through unloads and reloads of either. */
import type { Context, Fiber } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import * as plugin from '../../src/plugin/index.ts'
import type { Host } from '../support/host.ts'
import { agentIn, memoryOf, oursIn, PATIENT, recalledIn, rig } from './rig.ts'
import { callTool, outputOf } from './tools/call.ts'

const FACT = 'the runbook lies in drawer 4324'
const TEAM = { ...PATIENT, toolName: 'team', namespace: 'team', path: 'team/memory.db' }

/** The host knows a second mount by its own plugin object. */
const again = () => ({ ...plugin })

async function pair() {
  const made = await rig({ commands: true })
  const second = await made.host.mount(again(), TEAM)
  const agent = await agentIn(made.host)
  const type = async (line: string) => {
    const done = await made.host.ctx.commands.execute(agent, line, [], new AbortController().signal)
    return done?.result
  }
  return { ...made, second, agent, type }
}

const paths = async (host: Host) => (await memoryOf(host).stats()).path.slice(host.home.length)
const commands = (host: Host, agent: Parameters<Host['disposeAgent']>[0]) =>
  host.ctx.commands.list(agent).map(({ name }) => name)
const noise = (host: Host) => host.logs.filter(({ type }) => type !== 'info' && type !== 'debug')

/** Listeners by event name, but for those of agents, and tools, as the host counts them. */
function registered(host: Host): Record<string, number> {
  const { _hooks } = host.ctx.events as unknown as { _hooks: Record<string, Iterable<{ ctx: Context }>> }
  const hooks = Object.entries(_hooks).map(
    ([name, list]) => [name, [...list].filter(({ ctx }) => ctx.fiber.name !== 'scope').length] as const,
  )
  return Object.fromEntries([...hooks, ['tools', host.ctx.tools.schemas().length]].filter(([, count]) => count !== 0))
}

describe('two instances', () => {
  it('each have their own memory, tools and command, and the first has the service', async () => {
    const { host, agent, type } = await pair()
    await outputOf(callTool(host, 'team_commit', { text: FACT }, agent))
    expect((await callTool(host, 'stablemem_recall', { query: 'runbook' }, agent)).value).toMatchObject({ hits: [] })
    expect((await callTool(host, 'team_recall', { query: 'runbook' }, agent)).value).toMatchObject({
      hits: [{ text: FACT }],
    })
    expect(await paths(host)).toBe('/hologram/memory.db')
    expect(commands(host, agent)).toEqual(['memory', 'memory_team'])
    expect((await type('/memory search runbook'))?.text).not.toContain(FACT)
    expect((await type('/memory_team search runbook'))?.text).toContain(FACT)
    expect((await type('/memory_team dream'))?.text).toContain('/memory_team search WORDS')
    expect(noise(host)).toEqual([])
  })

  it('when the first goes, service and command pass to the second, which goes on with all it had', async () => {
    const { host, fiber, agent, type, server } = await pair()
    await outputOf(callTool(host, 'team_commit', { text: FACT }, agent))
    await fiber.dispose()
    expect(await paths(host)).toBe('/team/memory.db')
    expect((await memoryOf(host).recall('runbook', { session: agent.session })).hits).toMatchObject([{ text: FACT }])
    expect(commands(host, agent)).toEqual(['memory', 'memory_team'])
    expect((await type('/memory search runbook'))?.text).toContain(FACT)
    const asking = await agentIn(host)
    await host.runTurn(asking, 'where is the runbook?')
    expect(recalledIn(server)).toHaveLength(1)
    expect(oursIn(asking.session.events, 'recall')).toHaveLength(1)
    expect(noise(host)).toEqual([])
  })

  it('a plugin that needs the service goes on with that of the other', async () => {
    const { host, fiber } = await pair()
    const seen: string[] = []
    await host.mount({
      name: 'user of memory',
      inject: ['stablemem'],
      apply(ctx) {
        void ctx.stablemem.stats().then(({ path }) => seen.push(path.slice(host.home.length)))
      },
    })
    await expect.poll(() => seen).toHaveLength(1)
    await fiber.dispose()
    await expect.poll(() => seen).toEqual(['/hologram/memory.db', '/team/memory.db'])
  })

  it('of three, one takes over, then the last', async () => {
    const { host, fiber, second } = await pair()
    await host.mount(again(), { ...PATIENT, toolName: 'third', path: 'third/memory.db' })
    await fiber.dispose()
    expect(await paths(host)).toBe('/team/memory.db')
    await second.dispose()
    expect(await paths(host)).toBe('/third/memory.db')
    expect(noise(host)).toEqual([])
  })

  it('when the second goes, the first has all it had', async () => {
    const { host, second, agent } = await pair()
    await second.dispose()
    expect(await paths(host)).toBe('/hologram/memory.db')
    expect(commands(host, agent)).toEqual(['memory'])
    expect(host.ctx.tools.get('team_recall')).toBeUndefined()
    expect((await callTool(host, 'stablemem_recall', { query: 'x' }, agent)).isError).toBe(false)
  })

  it('when both are gone, nothing is left', async () => {
    const { host, server } = await rig({ commands: true }).then(async made => {
      await made.fiber.dispose()
      return made
    })
    const before = registered(host)
    const fibers: Fiber[] = []
    for (const config of [PATIENT, TEAM]) fibers.push(await host.mount(again(), config))
    expect(registered(host)).not.toEqual(before)
    for (const fiber of fibers) await fiber.dispose()
    expect(registered(host)).toEqual(before)
    expect(host.ctx.reflect.get('stablemem', false) === undefined).toBe(true)
    const agent = await agentIn(host)
    expect(commands(host, agent)).toEqual([])
    await host.runTurn(agent, 'where is the runbook?')
    expect(server.last().tools ?? []).toEqual([])
  })
})

describe('a hot reload', () => {
  it('of either, many times, leaves one of each: tools, listeners, commands, injected messages, records', async () => {
    const made = await pair()
    const { host, agent, server } = made
    await outputOf(callTool(host, 'stablemem_commit', { text: FACT }, await agentIn(host)))
    const before = registered(host)
    for (let round = 0; round < 3; round++) {
      for (const fiber of [made.fiber, made.second]) {
        await fiber.restart()
        expect(registered(host)).toEqual(before)
        expect(commands(host, agent)).toEqual(['memory', 'memory_stablemem', 'memory_team'])
        const asking = await agentIn(host)
        const events = await host.runTurn(asking, 'where is the runbook?')
        expect(recalledIn(server)).toHaveLength(1)
        expect(oursIn(events, 'recall')).toHaveLength(1)
      }
    }
    expect(noise(host)).toEqual([])
  })

  it('with other settings works by those', async () => {
    const { host, fiber, agent } = await pair()
    await fiber.dispose()
    await host.mount(plugin, { ...PATIENT, toolName: 'notes', path: 'notes/memory.db' })
    expect(host.ctx.tools.get('stablemem_recall')).toBeUndefined()
    expect((await callTool(host, 'notes_commit', { text: FACT }, agent)).isError).toBe(false)
    // The service went to the one that stayed, and stays there.
    expect(await paths(host)).toBe('/team/memory.db')
    expect(commands(host, agent)).toEqual(['memory', 'memory_notes', 'memory_team'])
  })
})
