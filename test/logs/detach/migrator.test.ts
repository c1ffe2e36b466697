/** The published migrator from format 0 to 1, with its strict rules: what refuses a log of ours, and takes it detached. */
import { beforeAll, describe, expect, it } from 'vitest'
import { isOurs } from '../../../src/events/index.ts'
import { readStoredText } from '../../support/logs.ts'
import { loadMigrator, type Migrate } from './migrator.ts'
import { apply, boot, busySession, inspect, killed } from './sessions.ts'

let migrate: Migrate

beforeAll(async () => {
  migrate = await loadMigrator()
}, 120_000)

describe.each(['zstd', 'none'] as const)('a session with events of ours (%s)', compression => {
  it('is refused by the migrator as it is, marked though they are, and passes detached, nothing moved', async () => {
    const { host, server } = await boot(compression)
    await busySession(host, server, 'busy')
    const root = killed(host)
    const before = await readStoredText(root, 'busy')
    expect(before).toMatch(/"type":"hologram\/commit".*"ignorable":true/)
    expect(() => migrate(before)).toThrow(/unknown historical event type "hologram\/\w+".*even when ignorable/)

    await apply(root)
    const migrated = migrate(await readStoredText(root, 'busy'))
    expect(migrated.header.version).toBe(1)
    const { events } = await inspect(root, compression, 'busy')
    expect(migrated.events).toEqual(events)
    // the recall messages came along
    expect(JSON.stringify(migrated.events)).toContain('"form":"recall"')
  })

  it('a fork of it passes too', async () => {
    const { host, server } = await boot(compression)
    const { session } = await busySession(host, server, 'parent')
    const seed = session.events
    const child = await host.createAgent({
      sessionId: 'child',
      cwd: host.home,
      parentSession: 'parent',
      seed,
      seedLength: seed.length,
    })
    await host.runTurn(child, 'a question of the fork')
    await host.stop()
    const before = await readStoredText(host.sessionsRoot, 'child')
    expect(() => migrate(before)).toThrow(/even when ignorable/)
    await apply(host.sessionsRoot)
    const migrated = migrate(await readStoredText(host.sessionsRoot, 'child'))
    expect(migrated.inheritedEventCount).toBe(seed.length)
    expect(migrated.events.some(event => isOurs(event.type))).toBe(false)
  })
})

describe('the migrator itself', () => {
  const header = '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n'
  const line = (type: string, data: object, extra = {}) =>
    `${JSON.stringify({ type, seq: 0, time: 1, data, ...extra })}\n`

  it.each(['hologram/commit', 'plugin:hologram/commit', 'plugin:dsh-hologram/commit'])(
    'refuses %s, marked or not',
    type => {
      expect(() => migrate(header + line(type, {}))).toThrow(/unknown historical event type/)
      expect(() => migrate(header + line(type, {}, { ignorable: true }))).toThrow(/unknown historical event type/)
    },
  )

  it('takes a log without them', () => {
    expect(migrate(header + line('turn/start', { turn: 1 })).events).toHaveLength(1)
  })
})
