/** A disk that is full, read-only or in the way: nothing is acknowledged that is not safe, and all goes on afterwards. */
import type fs from 'node:fs'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commit, eventId } from '../../support/events.ts'
import { haveSmallDisk, onSmallDisk } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp.ts'
import { dump } from '../projector/folding.ts'
import { ask, closeModels, model, until } from './models.ts'
import { closeStores, idsOf, journalEvents, newHome, rebuilt, sessionLog, store } from './stores.ts'

const failing = vi.hoisted(() => ({ code: '' }))

vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof fs>()
  return {
    ...real,
    writeSync: (...args: Parameters<typeof real.writeSync>) => {
      if (failing.code !== '') throw Object.assign(new Error(`${failing.code}: write`), { code: failing.code })
      return real.writeSync(...args)
    },
  }
})

afterEach(async () => {
  failing.code = ''
  await closeModels()
  closeStores()
})

describe('a journal that cannot be written', () => {
  it.each(['ENOSPC', 'EROFS', 'EIO'])(
    '(%s) acknowledges nothing and folds nothing, and is written again afterwards',
    async code => {
      const home = newHome()
      const one = store(home)
      one.fold([commit(1, 'before')])
      failing.code = code
      expect(() => one.fold([commit(2, 'meanwhile')])).toThrow(code)
      expect(one.stats()).toMatchObject({ events: 1, blocks: 1 })
      expect(one.recall({ query: 'before', scope: 'all', namespace: '', topK: 1 }).hits).toHaveLength(1)
      failing.code = ''
      expect(one.fold([commit(2, 'meanwhile'), commit(3, 'after')]).acks.map(({ status }) => status)).toEqual([
        'folded',
        'folded',
      ])
      expect(idsOf(journalEvents(home))).toEqual([1, 2, 3].map(eventId))
      expect(dump(one.database)).toBe(await rebuilt(home))
    },
  )

  it('while logs are read folds none of what it could not copy, and all of it later', async () => {
    const home = newHome()
    sessionLog(home, 's', [commit(1, 'in the log only')])
    const one = store(home)
    failing.code = 'ENOSPC'
    await expect(one.catchUp([home.sessions])).rejects.toThrow('ENOSPC')
    expect(one.stats().events).toBe(0)
    failing.code = ''
    await one.catchUp([home.sessions])
    expect(one.stats().events).toBe(1)
    expect(idsOf(journalEvents(home))).toEqual([eventId(1)])
  })
})

describe('a database that cannot grow', () => {
  it('leaves what was journaled pending, keeps answering, and takes it up when there is room', async () => {
    const home = newHome()
    const one = store(home)
    one.fold([commit(1, 'before the disk was full')])
    one.database.pragma(`max_page_count = ${Number(one.database.pragma('page_count', { simple: true }))}`)
    const long = Array.from({ length: 30 }, (_, n) => commit(n + 2, `${n} ${'a long text '.repeat(500)}`))
    const { acks } = one.fold(long)
    expect(new Set(acks.map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(one.stats().events).toBe(1)
    expect(one.recall({ query: 'the disk', scope: 'all', namespace: '', topK: 1 }).hits).toHaveLength(1)
    one.database.pragma('max_page_count = 1000000')
    await one.catchUpJournal()
    expect(one.stats()).toMatchObject({ events: 31, degraded: [] })
    expect(dump(one.database)).toBe(await rebuilt(home))
  })
})

describe('a worker whose folder is not there', () => {
  it('says what is wrong with the journal, and writes as soon as it can', async () => {
    const home = newHome()
    mkdirSync(dirname(home.journal), { recursive: true })
    writeFileSync(home.journal, 'a file is in the way')
    const one = model(home)
    await expect(one.fold([commit(1, 'x y')])).rejects.toThrow(/EEXIST|ENOTDIR/)
    await expect(one.fold([commit(1, 'x y')])).rejects.toThrow(/EEXIST|ENOTDIR/)
    expect((await one.stats()).events).toBe(0)
    rmSync(home.journal)
    expect((await one.fold([commit(1, 'x y')])).acks).toEqual([{ status: 'folded', created: true }])
  })

  it('keeps events in the journal while the database has no place, and folds them when it has', async () => {
    const home = newHome()
    const journal = `${tempDir()}/journal`
    const folder = dirname(home.path)
    writeFileSync(folder, 'a file is in the way')
    const one = model({ ...home, journal })
    expect((await one.fold([commit(1, 'the staging port is 8080')])).acks).toEqual([
      { status: 'pending', created: true },
    ])
    const answer = await ask(one, 'port')
    expect(answer).toMatchObject({ outcome: 'unavailable', hits: [] })
    expect((await one.stats()).trouble.join()).toContain('cannot be written')
    renameSync(folder, `${folder}.away`)
    await until(async () => (await one.stats()).blocks === 1)
    expect((await ask(one, 'port')).hits).toHaveLength(1)
  })
})

describe.runIf(haveSmallDisk())('a file system that is really full', () => {
  it('acknowledges nothing, keeps what was acknowledged, and goes on when there is space', () => {
    const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
    const { status, stdout, stderr } = onSmallDisk(
      process.execPath,
      '--input-type=module',
      '-e',
      `
      import { rmSync, writeFileSync } from 'node:fs'
      import { WorkerReadModel } from ${url('../../../src/readmodels/index.ts')}
      import { commit } from ${url('../../support/events.ts')}
      const disk = process.argv.at(-1)
      // The worker alone keeps no process alive.
      const alive = setInterval(() => {}, 1000)
      const model = new WorkerReadModel({ path: disk + '/memory.db', journal: disk + '/journal' })
      const fold = async n => (await model.fold([commit(n, 'fact ' + n + ' ' + 'x'.repeat(2000))])).acks[0].status
      const safe = []
      const failures = new Set()
      for (let n = 1; n <= 400; n++) {
        try {
          await fold(n)
          safe.push(n)
        } catch (error) {
          failures.add(error.code)
          if (failures.size > 0 && n > safe.length + 3) break
        }
      }
      const asked = await model.recall({ query: 'fact 1', scope: 'all', namespace: '', topK: 1 })
      await model.close()
      // Space returns, and memory is read back from the journal by a database elsewhere.
      const { Store } = await import(${url('../../../src/readmodels/worker/store.ts')})
      const check = new Store({ path: ':memory:', journal: disk + '/journal', keepJournal: true })
      await check.catchUpJournal()
      console.log(JSON.stringify({ safe: safe.length, kept: check.stats().events, issues: check.stats().issues,
        failures: [...failures], answered: asked.hits.length }))
      check.close()
      clearInterval(alive)`,
    )
    expect(status, stderr).toBe(0)
    const { safe, kept, issues, failures, answered } = JSON.parse(stdout)
    expect(safe).toBeGreaterThan(10)
    expect({ kept, issues, failures, answered }).toEqual({ kept: safe, issues: 0, failures: ['ENOSPC'], answered: 1 })
  })
})
