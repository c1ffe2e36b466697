/** `verify`: compares and changes nothing. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { Store } from '../../src/readmodels/worker/store.ts'
import { commit } from '../support/events.ts'
import { removeTempDirs } from '../support/temp.ts'
import { type CliHome, EVENTS, emptyHome, livedIn, writeLog } from './homes.ts'
import { answer, run } from './run.ts'

afterEach(removeTempDirs)

/** Every file of a home but SQLite's own side files, by what is in it. */
function bytes({ home }: CliHome): Map<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => statSync(join(home, name)).isFile() && !/-(wal|shm)$/.test(name))
  return new Map(
    files.sort().map(name => [
      name,
      createHash('sha256')
        .update(readFileSync(join(home, name)))
        .digest('hex'),
    ]),
  )
}

const tamper = ({ path }: CliHome, sql: string) => {
  const db = new Database(path)
  db.exec(sql)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

describe('verify', () => {
  it.each(['logs', 'journal', 'both'])(
    'says that database and a rebuild from %s are identical, with exit code 0',
    async from => {
      const home = await livedIn()
      const before = bytes(home)
      const ran = await run(['verify', '--home', home.home, '--from', from, '--json'])
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
      const { identical, sha256, onlyLive, onlyRebuilt } = answer(ran) as Record<string, Record<string, unknown>>
      expect(identical).toBe(true)
      expect(sha256?.live).toBe(sha256?.rebuilt)
      expect([onlyLive?.count, onlyRebuilt?.count]).toEqual([0, 0])
      expect(bytes(home)).toEqual(before)
    },
  )

  it('beside a host that goes on writing compares what there was when it began', async () => {
    const home = await livedIn()
    const host = new Store({ path: home.path, journal: home.journal })
    let n = 100
    const writing = setInterval(() => host.fold([commit(n, `written meanwhile ${n++}`)]), 5)
    try {
      for (let time = 0; time < 3; time++) {
        const { code, stdout } = await run(['verify', '--home', home.home])
        expect(stdout).toMatch(/^identical: /)
        expect(code).toBe(0)
      }
    } finally {
      clearInterval(writing)
      host.close()
    }
    expect(n).toBeGreaterThan(110)
  })

  it('finds what was changed, with exit code 1, shows it, and leaves it', async () => {
    const home = await livedIn()
    tamper(home, "UPDATE memory_blocks SET scene = 'tampered' WHERE text_content LIKE '%9090'")
    const before = bytes(home)
    const { code, stdout } = await run(['verify', '--home', home.home])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^different: /)
    expect(stdout).toContain('"scene":"tampered"')
    expect(stdout).toContain('dsh-hologram rebuild')
    expect(bytes(home)).toEqual(before)
    expect((await run(['rebuild', '--home', home.home])).code).toBe(0)
    expect((await run(['verify', '--home', home.home])).code).toBe(0)
  })

  it('finds what is in the logs and not in the database', async () => {
    const home = await livedIn()
    writeLog(home, 's2', [commit(50, 'said while memory was away')])
    const ran = await run(['verify', '--home', home.home, '--json'])
    expect(ran.code).toBe(1)
    const { onlyLive, onlyRebuilt } = answer(ran) as Record<string, { count: number; first: string[] }>
    expect(onlyLive?.count).toBe(0)
    expect(onlyRebuilt?.first.join()).toContain('said while memory was away')
  })

  it('finds one commit that is missing where a block was said', async () => {
    const home = await livedIn()
    tamper(home, `DELETE FROM block_sources WHERE event = 'evt_00000000000000000000000004'`)
    expect((await run(['verify', '--home', home.home])).code).toBe(1)
  })

  it('of a damaged database says so with exit code 2, and leaves it where it is', async () => {
    const home = await livedIn()
    writeFileSync(home.path, 'no database at all '.repeat(500))
    const before = bytes(home)
    const { code, stdout, stderr } = await run(['verify', '--home', home.home])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(home.path)
    expect(bytes(home)).toEqual(before)
  })

  it('of a database that is not there says so with exit code 2, and makes none', async () => {
    const home = emptyHome()
    writeLog(home, 's1', EVENTS)
    const { code, stderr } = await run(['verify', '--home', home.home])
    expect(code).toBe(2)
    expect(stderr).toContain(home.path)
    expect(stderr).toContain('rebuild')
    expect(existsSync(dirname(home.path))).toBe(false)
  })

  it('of a database of another application is refused', async () => {
    const home = await livedIn()
    rmSync(home.path)
    tamper(home, 'CREATE TABLE notes (text)')
    const { code, stderr } = await run(['verify', '--home', home.home])
    expect(code).toBe(2)
    expect(stderr).toContain('another application')
  })

  it('works beside a host that has the database open', async () => {
    const home = await livedIn()
    const other = new Database(home.path)
    other.exec('BEGIN IMMEDIATE')
    const { code } = await run(['verify', '--home', home.home])
    other.exec('COMMIT')
    other.close()
    expect(code).toBe(0)
  })
})
