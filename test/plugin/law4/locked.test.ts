import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { memoryPaths } from '../../../src/logs/index.ts'
import * as plugin from '../../../src/plugin/index.ts'
import { tempDir } from '../../support/temp.ts'
import { agentIn, boot, memoryOf, rig } from '../rig.ts'
import { INTACT, lockDatabase, NOTE, ready, turn } from './sabotage.ts'

describe('a database that another process is writing to (case 29)', () => {
  it('costs a turn nothing, and is still read', async () => {
    const made = await rig()
    const agent = await ready(made)
    const lock = await lockDatabase((await made.memory.stats()).path)
    try {
      const result = await turn(made, agent)
      expect(result).toMatchObject({ ...INTACT, injected: true })
      expect(result.milliseconds).toBeLessThan(3_000)
    } finally {
      await lock.release()
    }
  })

  it('a commit is safe within a bounded time, says so, and is found when the lock is gone', async () => {
    const made = await rig()
    const { session } = await ready(made)
    const lock = await lockDatabase((await made.memory.stats()).path)
    const started = performance.now()
    const committed = await made.memory.commit({ text: 'the gate code is 9071' }, { session })
    expect(performance.now() - started).toBeLessThan(3_000)
    expect(committed).toMatchObject({ created: true, pending: true })
    expect((await made.memory.stats()).degraded.join()).toContain('not in the database yet')
    await lock.release()
    await expect
      .poll(async () => (await made.memory.recall('gate code', { session })).hits.length, { timeout: 10_000 })
      .toBe(1)
    await expect.poll(async () => (await made.memory.stats()).degraded, { timeout: 10_000 }).toEqual([])
  })

  it('for seven seconds keeps nobody waiting: every commit is safe, every question is answered, the host is free', async () => {
    const made = await rig()
    const { session } = await ready(made)
    const lock = await lockDatabase((await made.memory.stats()).path)
    expect(lock.state).toBe('locked')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const began = performance.now()
    const said: string[] = []
    let longest = 0
    while (performance.now() - began < 7_000) {
      const started = performance.now()
      said.push(`gate ${said.length} has code ${9_000 + said.length}`)
      expect(await made.memory.commit({ text: said.at(-1) ?? '' }, { session })).toMatchObject({ pending: true })
      // From the snapshot: what came since is not in it, and that is said.
      const { hits, degraded } = await made.memory.recall('runbook', { session })
      expect([hits.map(({ text }) => text), degraded.join()]).toEqual([[NOTE], expect.stringContaining('not in the')])
      longest = Math.max(longest, performance.now() - started)
    }
    delay.disable()
    await lock.release()
    expect(longest).toBeLessThan(4_000)
    expect(delay.max / 1e6).toBeLessThan(200)
    await expect.poll(async () => (await made.memory.stats()).degraded, { timeout: 10_000 }).toEqual([])
    const { hits } = await made.memory.recall('gate code', { session, topK: 100 })
    expect(new Set(hits.map(({ text }) => text))).toEqual(new Set(said))
  })

  it.each(['an old database', 'a new file'])(
    'at start: turns work, and memory comes back without a restart: %s',
    async kind => {
      const home = tempDir()
      if (kind === 'an old database') {
        const earlier = await rig({ home })
        await ready(earlier)
        await earlier.host.stop()
      }
      const { path } = memoryPaths({}, home)
      mkdirSync(dirname(path), { recursive: true })
      const lock = await lockDatabase(path)
      const { host, server } = await boot({ home })
      await host.mount(plugin, {})
      try {
        expect(await turn({ host, server }, await agentIn(host))).toMatchObject(INTACT)
        await pause(500)
      } finally {
        await lock.release()
      }
      const { session } = await agentIn(host)
      await memoryOf(host).commit({ text: NOTE }, { session })
      const found = async () => (await memoryOf(host).recall('runbook', { session })).hits.length
      await expect.poll(found, { timeout: 10_000 }).toBe(1)
    },
  )

  it('opening it takes no lock away from another connection of the same process', async () => {
    const home = tempDir()
    const { path } = memoryPaths({}, home)
    mkdirSync(dirname(path), { recursive: true })
    // Not a database of ours yet, so its lock is on the file itself, where any close of the file would end it.
    const db = new Database(path)
    db.exec('BEGIN IMMEDIATE')
    const { host } = await boot({ home })
    await host.mount(plugin, {})
    await memoryOf(host).stats()
    const other = await lockDatabase(path)
    await other.release()
    db.exec('ROLLBACK')
    db.close()
    expect(other.state).toBe('SQLITE_BUSY')
  })
})
