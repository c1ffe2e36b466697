/** Damaged files: moved aside whole, never overwritten, and memory comes back from the journal. */
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { isSound, openDatabase } from '../../../src/readmodels/database/open.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { commit } from '../../support/events.ts'
import { removeTempDirs } from '../../support/temp.ts'
import { answers, dump } from '../projector/folding.ts'
import { bytesBeside, EVENTS, filledDatabase, movedAside, openStore } from './files.ts'

const stores: Store[] = []

afterEach(() => {
  for (const store of stores.splice(0)) store.close()
  removeTempDirs()
})

function open(path: string): Store {
  const store = openStore(path)
  stores.push(store)
  return store
}

/** Overwrites the middle of every page but the first few with garbage, as a failing disk does. */
function scramble(path: string, from = 2): void {
  const bytes = readFileSync(path)
  for (let page = from; page * 4_096 < bytes.length; page++) bytes.fill(0xa5, page * 4_096, page * 4_096 + 64)
  writeFileSync(path, bytes)
}

const DAMAGE: ReadonlyArray<readonly [string, (path: string) => void]> = [
  ['a file that is no database', path => writeFileSync(path, 'this was once a memory '.repeat(999))],
  [
    'a header of garbage',
    path => writeFileSync(path, Buffer.concat([Buffer.alloc(100, 7), readFileSync(path).subarray(100)])),
  ],
  ['a file cut in the middle of a page', path => truncateSync(path, 4_096 * 5 + 100)],
  ['a file cut after its first page', path => truncateSync(path, 4_096)],
  ['flipped pages', path => scramble(path, 1)],
]

describe('a damaged database', () => {
  it.each(DAMAGE)('(%s) is kept aside byte for byte, and memory is whole again from the journal', async (_, damage) => {
    const path = filledDatabase()
    const sound = open(path)
    const [before, asked] = [dump(sound.database), answers(sound.database)]
    sound.close()
    damage(path)
    const damaged = readFileSync(path)

    const store = open(path)
    await store.catchUpJournal()
    // A flipped page is met when it is read.
    store.recall({ query: 'which port?', scope: 'all', namespace: '', topK: 5 })
    if (!store.check()) await store.catchUpJournal()

    const [aside, ...others] = movedAside(path)
    expect(others).toEqual([])
    expect(readFileSync(aside ?? '')).toEqual(damaged)
    expect(dump(store.database)).toBe(before)
    expect(answers(store.database)).toEqual(asked)
    expect(store.stats().trouble).toEqual([`a damaged database was moved to ${aside}`])
  })

  it('takes its WAL and shm along, so that they do not get into the new one', () => {
    const path = filledDatabase()
    const db = new Database(path)
    db.pragma('wal_autocheckpoint = 0')
    db.exec("UPDATE meta SET value = 'x'")
    db.prepare("INSERT INTO meta (key, value) VALUES ('left', 'in the WAL')").run()
    for (const suffix of ['-wal', '-shm']) copyFileSync(path + suffix, `${path}${suffix}.kept`)
    db.close()
    for (const suffix of ['-wal', '-shm']) copyFileSync(`${path}${suffix}.kept`, path + suffix)
    const wal = readFileSync(`${path}-wal`)
    expect(wal.length).toBeGreaterThan(0)
    writeFileSync(path, Buffer.alloc(20_000, 7))

    const opened = openDatabase(path)
    expect(opened.movedAside).toBe(movedAside(path)[0])
    expect(readFileSync(`${opened.movedAside}-wal`)).toEqual(wal)
    expect(existsSync(`${opened.movedAside}-shm`)).toBe(true)
    expect(opened.db.prepare("SELECT count(*) FROM meta WHERE key = 'left'").pluck().get()).toBe(0)
    opened.db.close()
  })

  it('is never written over by the next damaged one', () => {
    const path = filledDatabase()
    for (let round = 0; round < 3; round++) {
      writeFileSync(path, `damage ${round} `.repeat(99))
      openDatabase(path).db.close()
    }
    const kept = movedAside(path).map(aside => readFileSync(aside, 'utf8').slice(0, 8))
    expect(kept.sort()).toEqual(['damage 0', 'damage 1', 'damage 2'])
  })

  it('that breaks while it is in use costs no event', async () => {
    const path = filledDatabase()
    const store = open(path)
    scramble(path)
    // Nothing of the file is held in memory any more, as after hours of other work.
    store.database.pragma('shrink_memory')
    const { acks } = store.fold([commit(500, 'said while the disk was failing')])
    expect(acks[0]?.status).toMatch(/^(folded|pending)$/)
    store.check()
    expect(store.isBehind).toBe(true)
    await store.catchUpJournal()
    expect(isSound(store.database)).toBe(true)
    const { blocks, events } = store.stats()
    expect({ blocks, events }).toEqual({ blocks: 61, events: EVENTS.length + 1 })
  })
})

describe('two processes on a damaged database', () => {
  it('move it aside once: the second finds the new one, and leaves it', async () => {
    const path = filledDatabase()
    const [one, two] = [open(path), open(path)]
    scramble(path)
    for (const store of [one, two]) store.database.pragma('shrink_memory')
    for (const store of [one, two]) if (!store.check()) await store.catchUpJournal()
    expect(movedAside(path)).toHaveLength(1)
    one.fold([commit(600, 'said by the first')])
    two.fold([commit(601, 'said by the second')])
    expect(dump(one.database)).toBe(dump(two.database))
    expect(one.stats().blocks).toBe(62)
  })
})

describe('a sound database', () => {
  it('is left alone by a check', () => {
    const path = filledDatabase()
    const store = open(path)
    expect(store.check()).toBe(true)
    expect(movedAside(path)).toEqual([])
    expect(bytesBeside(path).size).toBe(3)
  })
})
