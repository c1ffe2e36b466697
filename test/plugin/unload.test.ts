import { readdirSync, readlinkSync } from 'node:fs'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import * as plugin from '../../src/plugin/index.ts'
import { textsOf } from '../support/model-server.ts'
import { modelOf, NOTE, QUESTION, ready } from './law4/sabotage.ts'
import { agentIn, memoryOf, oursIn, PATIENT, recalledIn, rig } from './rig.ts'

/** Files below a folder that this process holds open. */
function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.startsWith(`${folder}/hologram`) ? [target] : []
    } catch {
      return []
    }
  })
}

const INDEX = 'Long-term memory (dsh-hologram) is on'

describe('unloading', () => {
  it('ends the worker and closes every file', async () => {
    const made = await rig()
    await ready(made)
    const model = modelOf(made)
    expect(openBelow(made.host.home).some(path => path.endsWith('memory.db'))).toBe(true)
    expect(openBelow(made.host.home).some(path => path.endsWith('.jsonl'))).toBe(true)
    expect(model.thread).toBeDefined()
    await made.fiber.dispose()
    expect(openBelow(made.host.home)).toEqual([])
    expect(model.thread).toBeUndefined()
  })

  it('twice is the same as once, and so is closing twice', async () => {
    const made = await rig()
    const model = modelOf(made)
    await made.fiber.dispose()
    await made.fiber.dispose()
    await Promise.all([model.close(), model.close()])
    await expect(model.stats()).rejects.toMatchObject({ code: 'closed' })
  })

  it('leaves files that open again, with all that was in them', async () => {
    const made = await rig()
    const agent = await ready(made)
    await made.fiber.dispose()
    await made.host.mount(plugin, PATIENT)
    expect((await memoryOf(made.host).recall('runbook', { session: agent.session })).hits[0]?.text).toBe(NOTE)
  })

  it('loses nothing that was being committed', async () => {
    const made = await rig()
    const { session } = await ready(made)
    const texts = Array.from({ length: 50 }, (_, n) => `locker ${n} is Zoe${n}x`)
    const committing = texts.map(text => made.memory.commit({ text }, { session }))
    const settled = Promise.allSettled(committing)
    await Promise.any(committing)
    await made.fiber.dispose()
    const results = await settled
    const safe = texts.filter((_, n) => results[n]?.status === 'fulfilled')
    expect(safe.length).toBeGreaterThan(0)
    await made.host.mount(plugin, PATIENT)
    for (const text of safe) {
      expect((await memoryOf(made.host).recall(text, { session })).hits[0]?.text).toBe(text)
    }
  })

  it('takes back all that was registered: tools, context line, service, folds, listeners', async () => {
    const made = await rig()
    const { host, server, fiber } = made
    await ready(made)
    expect(host.ctx.sessionProjections.snapshot((await agentIn(host)).session).values).toHaveProperty('hologram/blocks')
    await host.runTurn(await agentIn(host), QUESTION)
    const before = server.last()
    expect(before.tools?.length).toBeGreaterThan(1)
    expect([recalledIn(server).length, textsOf(before, 'user').join().includes(INDEX)]).toEqual([1, true])

    await fiber.dispose()
    const agent = await agentIn(host)
    const events = await host.runTurn(agent, QUESTION)
    expect(events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
    expect(server.last().tools ?? []).toEqual([])
    expect([recalledIn(server).length, textsOf(server.last(), 'user').join().includes(INDEX)]).toEqual([0, false])
    expect(host.ctx.get('stablemem') === undefined).toBe(true)
    expect(Object.keys(host.ctx.sessionProjections.snapshot(agent.session).values)).toEqual([])
    // The second lock is a listener too.
    expect(() => appendNaively(agent.session)).not.toThrow()
  })

  it('control: while it is mounted, the second lock refuses an event without the mark', async () => {
    const { host } = await rig()
    const { session } = await agentIn(host)
    expect(() => appendNaively(session)).toThrow(/ignorable/)
  })
})

describe('a hot reload while sessions live', () => {
  it('the same session goes on: it recalls, is not told twice, and its clocks go on rising', async () => {
    const made = await rig()
    const { host, server } = made
    const agent = await ready(made)
    const { session } = agent
    await host.runTurn(agent, QUESTION)
    await made.memory.commit({ text: 'the lamp is on' }, { session })
    for (let reload = 0, { fiber } = made; reload < 3; reload++) {
      await fiber.dispose()
      fiber = await host.mount(plugin, PATIENT)
      await memoryOf(host).commit({ text: `the lamp is on, ${reload}` }, { session })
      await host.runTurn(agent, QUESTION)
      expect(recalledIn(server).filter(text => text.includes('4324'))).toHaveLength(1)
      const other = await agentIn(host)
      await host.runTurn(other, QUESTION)
      expect(recalledIn(server).filter(text => text.includes('4324'))).toHaveLength(1)
    }
    const clocks = oursIn(session.events, 'commit').map(({ clock }) => Number(clock))
    expect(clocks).toEqual([...new Set(clocks)].sort((a, b) => a - b))
    expect(clocks).toHaveLength(4)
    expect(host.logs.filter(({ type }) => type !== 'info' && type !== 'debug')).toEqual([])
  })

  it('what a session says while nobody listens is taken up at the next mount', async () => {
    const made = await rig()
    const { host } = made
    const agent = await ready(made)
    await made.fiber.dispose()
    await host.runTurn(agent, QUESTION)
    await host.mount(plugin, PATIENT)
    const { session } = agent
    expect(await memoryOf(host).commit({ text: 'the lamp is on' }, { session })).toMatchObject({ created: true })
    expect((await memoryOf(host).recall('lamp', { session, scope: 'session' })).hits).toHaveLength(1)
  })
})

function appendNaively(session: Session): void {
  const append = session.append.bind(session) as unknown as (type: string, data: unknown) => SessionEvent
  append('hologram/commit', { v: 1, text: 'unmarked' })
}
