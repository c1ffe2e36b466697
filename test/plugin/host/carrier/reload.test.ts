/** Hot reloads: of the persistence plugin under live sessions, and of us. */
import { describe, expect, it } from 'vitest'
import { findCarrier, installSecondLock } from '../../../../src/plugin/host/carrier/index.ts'
import { commit, space } from '../../../events/samples.ts'
import { readStoredEvents, stockOpen, storedSessionIds } from '../../../support/logs.ts'
import { appendNaively, COMPRESSIONS, hosts, provenCarrier } from './support.ts'

const boot = hosts()
const carrier = provenCarrier()

/** A plugin that finds its carrier and writes at once, as one does that is loaded in the middle of a session. */
function writer(text: string, sessionId: string) {
  return {
    name: `writer of ${text}`,
    inject: ['sessions'],
    apply(ctx: Parameters<typeof installSecondLock>[0]) {
      installSecondLock(ctx)
      const session = ctx.sessions.get(sessionId as never)
      if (session !== undefined) findCarrier().carrier?.append(session, 'commit', commit({ text }))
    },
  }
}

describe.each(COMPRESSIONS)('hot reload (%s)', compression => {
  it('of persistence under live sessions: it goes on writing, and stored stays equal to live', async () => {
    const host = await boot({ compression })
    const agents = [
      await host.createAgent({ sessionId: 'a', cwd: host.home }),
      await host.createAgent({ sessionId: 'b', cwd: host.home }),
    ]
    for (let turn = 1; turn <= 3; turn++) {
      for (const { session } of agents) {
        session.append('turn/start', { turn })
        carrier.append(session, 'commit', commit({ text: `turn ${turn}` }))
      }
      // once inside of the write-behind window, once with everything on disk
      if (turn === 2) for (const agent of agents) await host.flush(agent)
      await host.persistenceFiber?.restart()
    }
    for (const { session } of agents) carrier.append(session, 'space', space())
    const live = agents.map(agent => agent.session.events)
    await host.stop()

    expect(host.logs).toEqual([])
    expect(await Promise.all(['a', 'b'].map(id => readStoredEvents(host.sessionsRoot, id)))).toEqual(live)
    expect(live[0]).toHaveLength(7)
    for (const id of ['a', 'b']) expect(await stockOpen(host.sessionsRoot, compression, id)).toMatchObject({ ok: true })
  })

  it('of us: every mount finds its carrier, and marks each event once', async () => {
    const host = await boot({ compression })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const freeze = Object.freeze
    const fiber = await host.mount(writer('one', 's'))
    await fiber.restart()
    await fiber.restart()
    await host.mount(writer('two', 's'))
    expect(Object.freeze).toBe(freeze)
    const live = session.events
    expect(live.map(event => event.ignorable)).toEqual([true, true, true, true])
    await host.stop()
    expect(await readStoredEvents(host.sessionsRoot, 's')).toEqual(live)
  })

  it('our unload inside of the write-behind window costs nothing', async () => {
    const host = await boot({ compression })
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const fiber = await host.mount(writer('the last word', 's'))
    expect(storedSessionIds(host.sessionsRoot)).toEqual([])
    await fiber.dispose()
    // nothing of us is left that would refuse or mark
    expect(appendNaively(agent.session, 'turn/start', { turn: 1 })).not.toHaveProperty('ignorable')
    const live = agent.session.events
    await host.stop()
    expect(await readStoredEvents(host.sessionsRoot, 's')).toEqual(live)
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
  })

  it('the unload of persistence inside of the window, for good, leaves what opens', async () => {
    const host = await boot({ compression })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    carrier.append(session, 'commit', commit())
    await host.persistenceFiber?.dispose()
    carrier.append(session, 'commit', commit({ text: 'said to nobody' }))
    await host.stop()
    expect(await readStoredEvents(host.sessionsRoot, 's')).toEqual(session.events.slice(0, 1))
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
  })
})
