/** Another process holds the write lock for seconds: nobody waits for it, nothing is lost, nothing is restarted. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { commit } from '../../support/events.ts'
import { dump } from '../projector/folding.ts'
import { ask, closeModels, longestPause, model, until } from './models.ts'
import { closeStores, type Home, newHome, rebuilt, store } from './stores.ts'

const locks: Database.Database[] = []

afterEach(async () => {
  for (const lock of locks.splice(0)) lock.close()
  await closeModels()
  closeStores()
})

/** Holds the write lock as another process would; returns how to let it go. */
function hold({ path }: Home, mode: 'IMMEDIATE' | 'EXCLUSIVE' = 'IMMEDIATE'): () => void {
  mkdirSync(dirname(path), { recursive: true })
  const other = new Database(path)
  locks.push(other)
  other.exec(`BEGIN ${mode}`)
  return () => {
    other.exec('COMMIT')
    other.close()
  }
}

describe('a locked database', () => {
  it('keeps a store waiting for a bounded time; the event is safe in the journal and folded afterwards', async () => {
    const home = newHome()
    const one = store(home)
    one.fold([commit(1, 'the old fact')])
    const release = hold(home)
    const started = performance.now()
    const { acks } = one.fold([commit(2, 'the new fact'), commit(3, 'the old fact')])
    expect(performance.now() - started).toBeLessThan(3_000)
    expect(acks).toEqual([
      { status: 'pending', created: true },
      { status: 'pending', created: false },
    ])
    expect(one.isBehind).toBe(true)
    expect(one.stats().degraded).toEqual(['some events are in the journal but not in the database yet'])
    release()
    await one.catchUpJournal()
    expect(one.isBehind).toBe(false)
    expect(one.stats()).toMatchObject({ events: 3, blocks: 2, degraded: [] })
    expect(dump(one.database)).toBe(await rebuilt(home))
  })

  it('counts the folders of session logs that are not read yet, until they are', async () => {
    const home = newHome()
    const one = store(home)
    one.expect([`${home.path}-sessions`, `${home.path}-more`])
    expect(one.stats().degraded).toEqual(['stored sessions are not read yet: 2 folders'])
    expect(one.recall({ query: 'x', scope: 'all', namespace: '', topK: 1 }).degraded).toEqual(one.stats().degraded)
    await one.catchUp([])
    expect(one.stats().degraded).toEqual([])
  })

  it('for seconds neither blocks the caller’s thread nor a question, which is answered from the snapshot', async () => {
    const home = newHome()
    const one = model(home)
    await one.fold([commit(1, 'the staging port is 8080')])
    const { thread } = one
    const release = hold(home)
    const blocked = await longestPause(async () => {
      const folds = [2, 3, 4].map(n => one.fold([commit(n, `another fact ${n}`)], { deadline: 5_000 }))
      const answer = await ask(one, 'which staging port?')
      expect(answer.hits.map(hit => hit.text)).toEqual(['the staging port is 8080'])
      for (const { acks } of await Promise.all(folds)) expect(acks).toEqual([{ status: 'pending', created: true }])
      await pause(1_500)
      expect((await ask(one, 'which staging port?')).hits).toHaveLength(1)
    })
    expect(blocked).toBeLessThan(200)
    release()
    await until(async () => (await one.stats()).degraded.length === 0)
    expect((await one.stats()).blocks).toBe(4)
    expect((await ask(one, 'another fact 3')).hits[0]?.text).toBe('another fact 3')
    expect(one.thread).toBe(thread)
  })

  it('when it is to be made is waited for too, and taken up without a restart', async () => {
    const home = newHome()
    const release = hold(home, 'EXCLUSIVE')
    const one = model(home)
    const folding = one.fold([commit(1, 'said while there was no database')])
    const { acks } = await folding
    expect(acks).toEqual([{ status: 'pending', created: true }])
    expect((await ask(one, 'database')).outcome).toBe('unavailable')
    release()
    await until(async () => (await one.stats()).degraded.length === 0)
    expect((await ask(one, 'said while there was no database')).hits).toHaveLength(1)
  })
})

describe('a database that was moved or deleted under a process', () => {
  it.each([
    ['moved', (path: string, to: string) => renameSync(path, to)],
    ['deleted', (path: string) => rmSync(path)],
  ])('(%s) is left for the one that is at its place now', async (_, take) => {
    const home = newHome()
    const one = store(home)
    one.fold([commit(1, 'before')])
    for (const suffix of ['', '-wal', '-shm']) take(home.path + suffix, `${home.path}.away${suffix}`)
    const two = store(home)
    await two.catchUpJournal()
    two.fold([commit(2, 'by the other')])
    one.fold([commit(3, 'by who has not noticed')])
    expect(one.isBehind).toBe(true)
    await one.catchUpJournal()
    expect(one.isBehind).toBe(false)
    one.fold([commit(4, 'after')])
    expect(dump(two.database)).toBe(dump(one.database))
    expect(dump(one.database)).toBe(await rebuilt(home))
    expect(one.stats()).toMatchObject({ blocks: 4, degraded: [] })
  })
})
