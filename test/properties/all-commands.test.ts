/**
 * Law 1 with every command: programs over sessions, forks, resumes, crashes, two namespaces and two processes. Journal
 * and logs are lists here, and files when they are exported and detached, so that a thousand programs take two minutes;
 * `stored-commands.test.ts` has all on disk.
 */
import type fs from 'node:fs'
import { open } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runs } from '../support/events.ts'
import { carried } from './carried.ts'
import {
  assertTwinsApart,
  closeStores,
  namesOfSessions,
  nothingOfAnother,
  oneMemory,
  whatEventsSay,
} from './in-memory.ts'

// A thousand programs would wait for the disk most of the time; what they are tried for is what files hold.
vi.mock('node:fs', async importOriginal => ({ ...(await importOriginal<typeof fs>()), fsyncSync: () => {} }))

beforeAll(async () => {
  const file = await open(import.meta.filename)
  vi.spyOn(Object.getPrototypeOf(file), 'sync').mockResolvedValue(undefined)
  await file.close()
})
afterAll(closeStores)

describe('any program of all commands', () => {
  it('comes to one memory in both processes, rebuilt in any order, exported and read back, and after detaching', async () => {
    const done: Record<string, number> = {}
    await fc.assert(
      oneMemory(done, async (shelf, { seed }) => Object.values(await carried(shelf, seed))),
      runs(1_000),
    )
    // What was always refused was not tried.
    for (const command of ['commit', 'recall', 'link', 'unlink', 'merge', 'purge', 'embed']) {
      expect(done[command], command).toBeGreaterThan(0)
    }
  }, 600_000)

  it('tells one namespace nothing of another, on any path', async () => {
    await fc.assert(nothingOfAnother(), runs(150))
  }, 600_000)

  it('is read as its events say, and so are events that no command would make', async () => {
    await fc.assert(whatEventsSay(), runs(300))
  }, 600_000)

  it('keeps the same texts in two namespaces apart', assertTwinsApart)

  it('gives blocks ids, and everything else, that do not depend on the names of sessions', async () => {
    await fc.assert(namesOfSessions(), runs(50))
  }, 600_000)
})
