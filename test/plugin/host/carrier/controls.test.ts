/** Ways that look easier than ours, and what becomes of them on this host. If one turns green, ours may be lifted. */
import { KNOWN_SESSION_EVENT_TYPES, type SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { commit } from '../../../events/samples.ts'
import { readStoredEvents, stockOpen } from '../../../support/logs.ts'
import { appendNaively, COMPRESSIONS, hosts } from './support.ts'

const boot = hosts()

describe.each(COMPRESSIONS)('control (%s)', compression => {
  it('adding our types to the host’s list helps only while somebody does it', async () => {
    const host = await boot({ compression })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    appendNaively(session, 'hologram/commit', commit())
    await host.stop()
    const known = KNOWN_SESSION_EVENT_TYPES as unknown as Set<string>
    known.add('hologram/commit')
    try {
      expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
    } finally {
      known.delete('hologram/commit')
    }
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: false })
  })

  it('marking the event in the log after the append comes too late for the disk', async () => {
    const host = await boot({ compression })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const event = appendNaively(session, 'hologram/commit', commit())
    const { log } = session as unknown as { log: SessionEvent[] }
    log[event.seq] = { ...event, ignorable: true }
    await host.stop()
    expect(session.events[0]).toHaveProperty('ignorable')
    expect((await readStoredEvents(host.sessionsRoot, 's'))[0]).not.toHaveProperty('ignorable')
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: false })
  })

  it('marking the event on its way to the disk makes the stored one another than the live one, and ends in a collision', async () => {
    const host = await boot({ compression })
    stampOnTheWay(host.ctx.sessionPersistence)
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const live = appendNaively(agent.session, 'hologram/commit', commit())
    await host.flush(agent)
    const [stored] = await readStoredEvents(host.sessionsRoot, 's')
    expect(stored).toEqual({ ...live, ignorable: true })
    expect(live).not.toHaveProperty('ignorable')
    // the next hot reload of persistence notices, and writes this session no more
    await host.persistenceFiber?.restart()
    await expect(host.flush(agent)).rejects.toThrow('id collision')
  })
})

function stampOnTheWay(persistence: object): void {
  const backend = persistence as { appendBatch(meta: unknown, events: readonly SessionEvent[], on: boolean): unknown }
  const original = backend.appendBatch
  backend.appendBatch = (meta, events, on) =>
    Reflect.apply(original, backend, [meta, events.map(event => ({ ...event, ignorable: true })), on])
}
