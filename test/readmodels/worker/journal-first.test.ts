/** An event is journaled, synced, then folded; a crash between any two is mended by reading again. */
import type fs from 'node:fs'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BAD_EVENTS, commit, eventId } from '../../support/events.ts'
import { dump } from '../projector/folding.ts'
import { closeStores, foreignStream, idsOf, journalEvents, newHome, rebuilt, sessionLog, store } from './stores.ts'

const calls = vi.hoisted(() => ({ synced: [] as string[] }))

vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof fs>()
  return {
    ...real,
    fsyncSync: (fd: number) => {
      calls.synced.push(real.fstatSync(fd).isDirectory() ? 'folder' : 'file')
      real.fsyncSync(fd)
    },
  }
})

afterEach(() => {
  closeStores()
  calls.synced.length = 0
})

const many = (n: number, from = 1) => Array.from({ length: n }, (_, at) => commit(from + at, `fact ${from + at}`))

describe('what is handed over together', () => {
  it('is journaled with one fsync, whatever its number', () => {
    const one = store(newHome())
    one.fold(many(1))
    expect(calls.synced).toEqual(['folder', 'file'])
    one.fold(many(100, 2))
    expect(calls.synced).toEqual(['folder', 'file', 'file'])
  })

  it('and is known already is journaled no more', () => {
    const home = newHome()
    const one = store(home)
    one.fold(many(3))
    const { acks } = one.fold(many(4))
    expect(acks.map(({ status }) => status)).toEqual(['known', 'known', 'known', 'folded'])
    expect(idsOf(journalEvents(home))).toEqual([1, 2, 3, 4].map(eventId))
  })

  it('says of each commit whether its block is new', () => {
    const one = store(newHome())
    const { acks, clock } = one.fold([commit(1, 'x y'), commit(2, ' x  y '), commit(3, 'z')])
    expect(acks).toEqual([
      { status: 'folded', created: true },
      { status: 'folded', created: false },
      { status: 'folded', created: true },
    ])
    expect(clock).toBe(3)
  })

  it('and cannot be used is skipped, said so, and not written to the journal again and again', () => {
    const home = newHome()
    const one = store(home)
    const bad = Object.values(BAD_EVENTS)
    for (let met = 0; met < 3; met++) {
      const { acks } = one.fold([...bad, commit(1, 'good')])
      expect(acks.slice(0, -1).map(({ status }) => status)).toEqual(bad.map(() => 'skipped'))
    }
    expect(journalEvents(home).length).toBeLessThanOrEqual(bad.length + 1)
    expect(one.stats().skipped).toEqual({ malformed: 3, newer_version: 3, unknown_verb: 3 })
  })
})

describe('a crash', () => {
  it('after the journal and before the fold is mended at the next start', async () => {
    const home = newHome()
    foreignStream(home, '01CRASHED', many(3))
    const one = store(home)
    await one.catchUpJournal()
    expect(one.stats()).toMatchObject({ events: 3, blocks: 3, clock: 3 })
    expect(dump(one.database)).toBe(await rebuilt(home))
  })

  it('after the session log and before the journal is mended: the journal gets its copy', async () => {
    const home = newHome()
    sessionLog(home, 's', many(2))
    const one = store(home)
    await one.catchUp([home.sessions])
    expect(idsOf(journalEvents(home))).toEqual([1, 2].map(eventId))
    expect(dump(one.database)).toBe(await rebuilt(home))
  })

  it('of a database that was filled without the journal is mended: each event is copied once', async () => {
    const home = newHome()
    sessionLog(home, 's', many(2))
    const rebuild = store(home, { keepJournal: true })
    await rebuild.catchUp([home.sessions])
    expect(existsSync(home.journal)).toBe(false)
    rebuild.close()
    for (let start = 0; start < 3; start++) {
      const one = store(home)
      await one.catchUp([home.sessions])
      one.close()
    }
    expect(idsOf(journalEvents(home))).toEqual([1, 2].map(eventId))
  })
})

describe('a journal stream', () => {
  it('is the user’s alone', () => {
    const home = newHome()
    const one = store(home)
    one.fold(many(1))
    const [name = ''] = readdirSync(home.journal)
    expect(statSync(join(home.journal, name)).mode & 0o777).toBe(0o600)
    expect(statSync(home.journal).mode & 0o777).toBe(0o700)
  })

  it('is not made by who only reads', async () => {
    const home = newHome()
    const one = store(home)
    await one.catchUp([home.sessions])
    one.recall({ query: 'anything', scope: 'all', namespace: '', topK: 1 })
    expect(existsSync(home.journal)).toBe(false)
  })
})
