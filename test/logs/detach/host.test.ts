/** What a host makes of a detached session, on the real packages. */
import { join } from 'node:path'
import { Session, SessionId } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { isOurs } from '../../../src/events/index.ts'
import { detach } from '../../../src/logs/detach/index.ts'
import { commit, eventId } from '../../events/samples.ts'
import { readStoredText, stockOpen, tempDir } from '../../support/logs.ts'
import { textsOf } from '../../support/model-server.ts'
import { apply, boot, busySession, derived, inspect, killed, put, withoutOurs, words } from './sessions.ts'

describe.each(['zstd', 'none'] as const)('a detached session (%s)', compression => {
  it('opens in a stock host with every seq, message, surface node, header and pending message as before', async () => {
    const { host, server } = await boot(compression)
    await busySession(host, server, 'busy')
    const root = killed(host)
    const text = await readStoredText(root, 'busy')
    const before = await inspect(root, compression, 'busy')
    const ours = before.events.filter(event => isOurs(event.type)).length
    // the log is of the kind this is about
    expect(ours).toBeGreaterThan(10)
    expect(text).toMatch(/"type":"text-chunks".*hologram\//)

    expect(await apply(root)).toMatchObject([{ session: 'busy', status: 'applied', events: ours }])
    const after = await inspect(root, compression, 'busy')
    expect(after.events).toEqual(withoutOurs(before.events))
    expect(derived(after.events)).toEqual(derived(before.events))
    expect(derived(after.events)).toMatchObject({ header: {}, nextTurn: [{}, {}], nextStep: [{}] })
    // every other line as it was, packed rows included
    const lines = text.split('\n')
    const afterLines = (await readStoredText(root, 'busy')).split('\n')
    const changed = lines.filter((line, n) => line !== afterLines[n])
    expect(afterLines).toHaveLength(lines.length)
    expect(changed.map(line => isOurs(JSON.parse(line).type))).toEqual(Array(ours).fill(true))

    const opening = await stockOpen(root, compression, 'busy')
    expect(opening).toMatchObject({ ok: true })
    expect(opening.ok ? opening.events.slice(0, after.events.length) : []).toEqual(after.events)
  })

  it('goes on: a host resumes it, what was pending reaches the model, and it can be resumed again', async () => {
    const { host, server } = await boot(compression)
    await busySession(host, server, 'busy')
    const root = killed(host)
    await apply(root)

    const next = await boot(compression, root)
    const agent = await next.host.resumeAgent('busy')
    expect(agent.inbox.nextTurn).toHaveLength(2)
    expect(agent.inbox.nextStep).toHaveLength(1)
    await next.host.runMessage(agent, words('go on'))
    const seen = next.server.requests.flatMap(request => textsOf(request, 'user'))
    for (const text of ['hello', 'and now?', 'sooner', 'later', 'last', 'go on']) expect(seen).toContain(text)
    put(agent.session, 'commit', commit({ id: eventId(900), clock: 900 }))
    await next.host.stop()
    expect(await stockOpen(root, compression, 'busy')).toMatchObject({ ok: true })
    // what was said since is taken out by the next run
    expect(await apply(root)).toMatchObject([{ status: 'applied', events: 1, secured: 1 }])
    expect(await stockOpen(root, compression, 'busy')).toMatchObject({ ok: true })
  })

  it('as a copy in a folder of its own, opens there; the log itself is untouched', async () => {
    const { host, server } = await boot(compression)
    await busySession(host, server, 'busy')
    await host.stop()
    const text = await readStoredText(host.sessionsRoot, 'busy')
    const out = join(tempDir(), 'out')
    const results = await detach({ roots: [host.sessionsRoot], journal: join(host.home, 'journal'), out })
    expect(results).toMatchObject([{ status: 'copied', copy: expect.stringContaining(out) }])
    expect(await stockOpen(out, compression, 'busy')).toMatchObject({ ok: true })
    expect(await readStoredText(host.sessionsRoot, 'busy')).toBe(text)
  })

  it('a fork: parent and child open, the child with the seed length it had; the journal gets each event once', async () => {
    const { host, server } = await boot(compression)
    const parent = await busySession(host, server, 'parent')
    const seed = parent.session.events
    const child = await host.createAgent({
      sessionId: 'child',
      cwd: host.home,
      parentSession: 'parent',
      seed,
      seedLength: seed.length,
    })
    put(child.session, 'commit', commit({ id: eventId(800), clock: 800 }))
    await host.runTurn(child, 'a question of the fork')
    await host.stop()
    const before = await inspect(host.sessionsRoot, compression, 'child')
    const count = seed.filter(event => isOurs(event.type)).length
    expect(await apply(host.sessionsRoot)).toMatchObject([
      { session: 'child', status: 'applied', events: count + 1, secured: count + 1 },
      { session: 'parent', status: 'applied', events: count, secured: 0 },
    ])
    const after = await inspect(host.sessionsRoot, compression, 'child')
    expect(after.meta).toEqual(before.meta)
    expect(after.meta).toMatchObject({ seedLength: seed.length, parentSession: 'parent' })
    expect(after.events).toEqual(withoutOurs(before.events))
    expect(derived(after.events, after.meta)).toEqual(derived(before.events, before.meta))
    for (const id of ['parent', 'child']) {
      expect(await stockOpen(host.sessionsRoot, compression, id)).toMatchObject({ ok: true })
    }
  })
})

it('a live fork of a detached session can be made', async () => {
  const { host, server } = await boot('zstd')
  await busySession(host, server, 'busy')
  await host.stop()
  await apply(host.sessionsRoot)
  const { events } = await inspect(host.sessionsRoot, 'zstd', 'busy')
  expect(Session.create(SessionId('fork'), events).events.slice(0, events.length)).toEqual(events)
})
