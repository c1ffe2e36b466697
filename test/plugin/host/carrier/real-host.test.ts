/** The whole way of a carried event on the real host: live, published, stored, forked, resumed, and without us. */
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { commit, recall, space } from '../../../events/samples.ts'
import { readStoredEvents, stockOpen, storedSessionIds } from '../../../support/logs.ts'
import { startModelServer } from '../../../support/model-server.ts'
import { appendNaively, COMPRESSIONS, hosts, lock, provenCarrier } from './support.ts'

const boot = hosts()
const carrier = provenCarrier()

const isOurs = (event: SessionEvent): boolean => event.type.startsWith('hologram/')

describe.each(COMPRESSIONS)('a carried event (%s)', compression => {
  async function session() {
    const host = await boot({ compression })
    await host.mount(lock)
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    return { host, agent, session: agent.session }
  }

  it('is one and the same: returned, live, published, stored, forked, and resumed from either log', async () => {
    const { host, agent, session: parent } = await session()
    const published: SessionEvent[] = []
    const off = host.ctx.on('session/event', (_, event) => {
      published.push(event)
    })
    parent.append('turn/start', { turn: 1 })
    const events = [
      carrier.append(parent, 'space', space()),
      carrier.append(parent, 'commit', commit({ text: '端口 8080 😀\n"q"' })),
      carrier.append(parent, 'recall', recall()),
    ]
    parent.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    off()
    await host.flush(agent)
    const child = host.ctx.sessions.fork(parent, undefined, SessionId('child'))
    await host.ctx.sessions.flush(child)
    const childEvents = child.events
    await host.stop()

    for (const event of events) {
      expect(parent.events[event.seq]).toBe(event)
      expect(published[event.seq]).toBe(event)
    }
    // the host compares events as JSON, member by member in order
    const texts = events.map(event => JSON.stringify(event))
    const ofOurs = (all: readonly SessionEvent[]) => all.filter(isOurs).map(event => JSON.stringify(event))
    expect(ofOurs(childEvents)).toEqual(texts)
    for (const id of ['s', 'child']) {
      expect(ofOurs(await readStoredEvents(host.sessionsRoot, id))).toEqual(texts)
      const opening = await stockOpen(host.sessionsRoot, compression, id)
      expect(ofOurs(opening.ok ? opening.events : [])).toEqual(texts)
    }
  })

  it('does not brick its session, where the same event appended naively does', async () => {
    for (const how of ['carried', 'naive'] as const) {
      const host = await boot({ compression })
      const agent = await host.createAgent({ sessionId: how, cwd: host.home })
      agent.session.append('turn/start', { turn: 1 })
      if (how === 'carried') carrier.append(agent.session, 'commit', commit())
      else appendNaively(agent.session, 'hologram/commit', commit())
      await host.stop()
      expect((await stockOpen(host.sessionsRoot, compression, how)).ok).toBe(how === 'carried')
    }
  })

  it('a fork of a live session opens, and goes on with events of its own', async () => {
    const { host, session: parent } = await session()
    carrier.append(parent, 'commit', commit())
    const agent = await host.createAgent({
      sessionId: 'child',
      cwd: host.home,
      parentSession: 's',
      seed: parent.events,
      seedLength: parent.seq,
    })
    carrier.append(agent.session, 'commit', commit({ text: 'said in the fork' }))
    await host.stop()
    const opening = await stockOpen(host.sessionsRoot, compression, 'child')
    const said = opening.ok ? opening.events.filter(isOurs).map(event => event.data) : opening
    expect(said).toEqual([commit(), commit({ text: 'said in the fork' })])
  })

  it('a host without us resumes the session, runs a turn in it, and a host with us resumes it again', async () => {
    const server = await startModelServer([{ text: 'hello' }])
    try {
      const { host, session: first } = await session()
      carrier.append(first, 'commit', commit())
      await host.stop()

      const stock = await boot({ home: host.home, compression, model: server.baseURL })
      const resumed = await stock.resumeAgent('s')
      const events = await stock.runTurn(resumed, 'hi')
      expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'completed' } } })
      expect(JSON.stringify(server.last().messages)).not.toContain('Mimi')
      await stock.stop()

      const again = await boot({ home: host.home, compression })
      await again.mount(lock)
      const third = await again.resumeAgent('s')
      carrier.append(third.session, 'commit', commit({ text: 'and on' }))
      expect(third.session.events.filter(isOurs)).toHaveLength(2)
      await again.stop()
      expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
    } finally {
      await server.close()
    }
  })

  it('leaves the events of another plugin as they are, marked or not', async () => {
    const { host, session: shared } = await session()
    const heard: SessionEvent[] = []
    host.ctx.on('session/event', (_, event) => void heard.push(event))
    carrier.append(shared, 'commit', commit())
    const other = appendNaively(shared, 'other/plugin', { v: 1 })
    carrier.append(shared, 'commit', commit({ text: 'two' }))
    expect(other).toEqual({ type: 'other/plugin', seq: 1, time: expect.any(Number), data: { v: 1 } })
    expect(heard[1]).toBe(other)
    await host.stop()
    expect((await readStoredEvents(host.sessionsRoot, 's'))[1]).toEqual(other)
    // that plugin bricks the session, and we do not hide it by marking what is not ours
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({
      ok: false,
      error: expect.stringContaining('other/plugin'),
    })
  })

  it('gone from memory with its host before the write-behind has written, is on disk', async () => {
    const { host, session: hasty } = await session()
    carrier.append(hasty, 'commit', commit())
    expect(storedSessionIds(host.sessionsRoot)).toEqual([])
    await host.stop()
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
    expect((await readStoredEvents(host.sessionsRoot, 's')).map(event => event.ignorable)).toEqual([true])
  })
})
