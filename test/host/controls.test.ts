/**
 * What the host does to plugins that get it wrong, on the real packages. If one of these turns red after a host upgrade,
 * a rule in docs or src that rests on it may be lifted, or must be tightened.
 */
import { SESSION_FORMAT_VERSION, type Session, type SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import type { JsonlCompression } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bootHost, type Host, type HostOptions } from '../support/host.ts'
import { readStoredEvents, removeTempDirs, stockOpen, tempDir } from '../support/logs.ts'
import { type ModelAnswer, type ModelServer, startModelServer } from '../support/model-server.ts'

declare module '@deepseek-ai/dsh-session-projection' {
  interface SessionProjectionMap {
    'control/before': number
    'control/broken': number
    'control/after': number
  }
}

const hosts: Host[] = []
const servers: ModelServer[] = []

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
  for (const server of servers.splice(0)) await server.close()
  removeTempDirs()
})

async function model(...answers: ModelAnswer[]): Promise<ModelServer> {
  const server = await startModelServer(answers)
  servers.push(server)
  return server
}

async function boot(options: Partial<HostOptions> = {}): Promise<Host> {
  const host = await bootHost({ home: tempDir(), ...options })
  hosts.push(host)
  return host
}

/** Append as a plugin does that trusts the types: declaring an event type in SessionEventMap is compile-time only. */
function appendNaively(session: Session, type: string, data: unknown): SessionEvent {
  const append = session.append.bind(session) as (type: string, data: unknown) => SessionEvent
  return append(type, data)
}

const COMPRESSIONS: readonly JsonlCompression[] = ['zstd', 'none']

describe.each(COMPRESSIONS)('foreign events in a stored session (%s)', compression => {
  it('a naive append bricks the whole session on the next cold load', async () => {
    const server = await model({ text: 'hello' })
    const host = await boot({ compression, model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 'naive', cwd: host.home })
    await host.runTurn(agent, 'hi')
    appendNaively(agent.session, 'hologram/commit', { v: 1, text: 'the cat is called Mimi' })
    await host.stop()

    const opening = await stockOpen(host.sessionsRoot, compression, 'naive')
    expect(opening).toMatchObject({ ok: false })
    expect(opening.ok ? '' : opening.error).toMatch(/"hologram\/commit".*not marked ignorable/)
    // not even the words of the human can be had back through the host
    const stored = await readStoredEvents(host.sessionsRoot, 'naive')
    expect(stored.map(event => event.type)).toContain('user/message')
  })

  it('an unmarked twin without the foreign event opens', async () => {
    const server = await model({ text: 'hello' })
    const host = await boot({ compression, model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 'plain', cwd: host.home })
    await host.runTurn(agent, 'hi')
    await host.stop()
    expect(await stockOpen(host.sessionsRoot, compression, 'plain')).toMatchObject({ ok: true })
  })

  it('a third argument to append cannot mark the event', async () => {
    const host = await boot({ compression })
    const agent = await host.createAgent({ sessionId: 'third', cwd: host.home })
    const append = agent.session.append.bind(agent.session) as (...args: unknown[]) => SessionEvent
    const event = append('hologram/commit', { v: 1 }, { ignorable: true })
    expect(event).not.toHaveProperty('ignorable')
  })

  it('the same event, marked and written through sessionPersistence, opens', async () => {
    const host = await boot({ compression })
    const id = SessionId('marked')
    const event = { type: 'hologram/commit', seq: 0, time: 1, data: { v: 1, text: 'Mimi' }, ignorable: true }
    await host.ctx.sessionPersistence.create({ id, version: SESSION_FORMAT_VERSION, createdAt: 1, cwd: host.home })
    await host.ctx.sessionPersistence.append(id, [event as unknown as SessionEvent])
    await host.stop()

    const opening = await stockOpen(host.sessionsRoot, compression, 'marked')
    expect(opening).toMatchObject({ ok: true })
    expect(opening.ok ? opening.events[0] : undefined).toEqual(event)
  })
})

describe('projections', () => {
  const countAll = (key: 'control/before' | 'control/after') => ({
    key,
    schema: z.number(),
    init: () => 0,
    apply: (state: number) => state + 1,
    view: (state: number) => state,
    stateVersion: 1,
  })

  it('an apply that throws stops the units registered after it from seeing that event', async () => {
    const host = await boot()
    const units = host.ctx.sessionProjections
    units.register(countAll('control/before'))
    units.register({
      ...countAll('control/before'),
      key: 'control/broken',
      apply: (state, event) => {
        if (event.type === 'turn/start') throw new Error('apply is broken')
        return state + 1
      },
    })
    units.register(countAll('control/after'))
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const end = { turn: 1, reason: { kind: 'completed' } } as const
    session.append('turn/end', end)
    session.append('turn/start', { turn: 1 })
    session.append('turn/end', end)

    expect(session.seq).toBe(3)
    expect(units.snapshot(session).values).toEqual({ 'control/before': 3, 'control/broken': 2, 'control/after': 2 })
    expect(host.logs.some(line => line.text.includes('apply is broken'))).toBe(true)
  })

  it('a view that fails its schema makes snapshot() throw for every key', async () => {
    const host = await boot()
    const units = host.ctx.sessionProjections
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    units.register(countAll('control/before'))
    expect(units.snapshot(agent.session).values).toHaveProperty('control/before')
    units.register({ ...countAll('control/before'), key: 'control/broken', view: () => 'three' as unknown as number })
    expect(() => units.snapshot(agent.session)).toThrow(z.ZodError)
  })
})

describe('hooks', () => {
  it('a synchronous throw in session/created vetoes the session', async () => {
    const host = await boot()
    const off = host.ctx.on('session/created', () => {
      throw new Error('not on my watch')
    })
    await expect(host.createAgent({ sessionId: 'vetoed', cwd: host.home })).rejects.toThrow('not on my watch')
    expect(host.ctx.sessions.get(SessionId('vetoed'))).toBeUndefined()
    off()
    await expect(host.createAgent({ sessionId: 'vetoed', cwd: host.home })).resolves.toBeDefined()
  })

  it('a throw in agent/pre-step ends the turn and loses what the user said', async () => {
    const server = await model({ text: 'hello' })
    const host = await boot({ model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const off = host.ctx.on('agent/pre-step', () => {
      throw new Error('memory is broken')
    })
    const events = await host.runTurn(agent, 'remember the milk')
    off()
    expect(events.map(event => event.type)).not.toContain('user/message')
    expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'error' } } })
    expect(agent.inbox.hasPending).toBe(false)
    expect(server.requests).toHaveLength(0)

    await host.runTurn(agent, 'hello?')
    expect(JSON.stringify(server.last().messages)).not.toContain('milk')
  })

  it('append inside a session/event callback throws; the host swallows it and the write is lost', async () => {
    const host = await boot()
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const off = host.ctx.on('session/event', session => {
      session.append('turn/start', { turn: 2 })
    })
    agent.session.append('turn/start', { turn: 1 })
    off()
    expect(agent.session.events).toHaveLength(1)
    expect(host.logs.some(line => line.text.includes('append cannot reenter'))).toBe(true)
  })

  it('runtime context is in the decision of next(), never in the claimed batch', async () => {
    const server = await model({ text: 'hello' })
    const host = await boot({ model: server.baseURL })
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const seen: { claimed: string[]; decided: string[] }[] = []
    host.ctx.on(
      'agent/pre-step',
      async (payload, next) => {
        const decision = await next()
        seen.push({
          claimed: payload.messages.map(message => message.source.kind),
          decided: decision.kind === 'enter' ? decision.messages.map(message => message.source.kind) : [],
        })
        return decision
      },
      { prepend: true },
    )
    await host.runTurn(agent, 'hi')
    expect(seen).toEqual([{ claimed: ['user'], decided: ['user', 'plugin'] }])
  })
})
