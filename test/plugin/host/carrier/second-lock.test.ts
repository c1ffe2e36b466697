import { SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it, vi } from 'vitest'
import { VERBS } from '../../../../src/events/index.ts'
import { commit } from '../../../events/samples.ts'
import type { Host } from '../../../support/host.ts'
import { readStoredEvents, stockOpen } from '../../../support/logs.ts'
import { appendNaively, COMPRESSIONS, hosts, lock, provenCarrier } from './support.ts'

const boot = hosts()
const carrier = provenCarrier()

const OUR_NAMES = [
  ...VERBS.flatMap(verb => [`hologram/${verb}`, `plugin:hologram/${verb}`, `plugin:dsh-hologram/${verb}`]),
  'hologram/of-a-newer-version',
]

async function live(options: Parameters<typeof boot>[0] = { persistence: false }) {
  const host = await boot(options)
  const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
  session.append('turn/start', { turn: 1 })
  return { host, session }
}

describe('the second lock', () => {
  it.each(OUR_NAMES)('refuses an unmarked %s before it reaches the log, and nobody hears of it', async type => {
    const { host, session } = await live()
    await host.mount(lock)
    const heard = vi.fn()
    host.ctx.on('session/event', heard)
    const before = session.events
    expect(() => appendNaively(session, type, commit())).toThrow(/refused .*ignorable/)
    expect(session.events).toEqual(before)
    expect(session.seq).toBe(1)
    expect(heard).not.toHaveBeenCalled()
    // the session is none the worse: seqs go on without a gap
    expect(session.append('turn/end', { turn: 1, reason: { kind: 'completed' } }).seq).toBe(1)
  })

  it('refuses whoever appends: another plugin, another session, one made before or after it', async () => {
    const { host, session } = await live()
    const early = host.ctx.sessions.create(SessionId('early'))
    await host.mount(lock)
    const late = host.ctx.sessions.create(SessionId('late'))
    const refusals: unknown[] = []
    await host.mount({
      name: 'other',
      inject: ['sessions'],
      apply(ctx) {
        for (const target of [session, early, late, ctx.sessions.create(SessionId('theirs'))]) {
          try {
            appendNaively(target, 'hologram/commit', commit())
          } catch (error) {
            refusals.push(error)
          }
        }
      },
    })
    expect(refusals).toHaveLength(4)
    expect(early.events).toEqual([])
  })

  it('lets marked events and those of others pass', async () => {
    const { host, session } = await live()
    await host.mount(lock)
    carrier.append(session, 'commit', commit())
    appendNaively(session, 'other/plugin', { type: 'hologram/commit' })
    appendNaively(session, 'hologramme/commit', {})
    expect(session.events.map(event => event.type)).toEqual([
      'turn/start',
      'hologram/commit',
      'other/plugin',
      'hologramme/commit',
    ])
  })

  it('minds no dispatch but that of session events, and stumbles over none', async () => {
    const { host, session } = await live()
    await host.mount(lock)
    const unmarked = { type: 'hologram/commit' }
    const announce = (name: string, ...args: unknown[]) =>
      host.ctx.emit('internal/dispatch', 'emit', name, args, null as never)
    for (const args of [[], [session], [session, null], [session, 'text'], [session, {}], [session, { type: 7 }]]) {
      expect(() => announce('session/event', ...args)).not.toThrow()
    }
    expect(() => announce('session/other', session, unmarked)).not.toThrow()
    expect(() => announce('session/event', session, unmarked)).toThrow('refused')
  })

  it('mounted twice does no harm: one refusal, one event, and it holds while one of them is there', async () => {
    const { host, session } = await live()
    const [first, second] = [await host.mount(lock), await host.mount({ ...lock, name: 'lock again' })]
    const naive = () => appendNaively(session, 'hologram/commit', commit())
    expect(naive).toThrow('refused')
    carrier.append(session, 'commit', commit())
    expect(session.seq).toBe(2)
    await first.dispose()
    expect(naive).toThrow('refused')
    await second.dispose()
    expect(session.seq).toBe(2)
  })

  it('is an effect: with its plugin it goes', async () => {
    const { host, session } = await live()
    const fiber = await host.mount(lock)
    await fiber.dispose()
    expect(appendNaively(session, 'hologram/commit', commit()).seq).toBe(1)
  })
})

describe.each(COMPRESSIONS)('what the second lock is for (%s)', compression => {
  const slip = async (mount: (host: Host) => Promise<unknown>): Promise<Host> => {
    const { host, session } = await live({ compression })
    await mount(host)
    try {
      appendNaively(session, 'hologram/commit', commit())
    } catch {
      // whoever slipped has a bug of its own; the session must not pay for it
    }
    await host.stop()
    return host
  }

  it('with it, a slip costs the event', async () => {
    const host = await slip(booted => booted.mount(lock))
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({ ok: true })
    expect((await readStoredEvents(host.sessionsRoot, 's')).map(event => event.type)).toEqual(['turn/start'])
  })

  it('mutation: without it, the same slip costs the session', async () => {
    const host = await slip(async () => {})
    expect(await stockOpen(host.sessionsRoot, compression, 's')).toMatchObject({
      ok: false,
      error: expect.stringContaining('not marked ignorable'),
    })
  })
})
