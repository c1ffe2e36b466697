/** `rebuild`: what logs, journal or both hold, whoever may read those logs. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readOptions } from '../../src/cli/options.ts'
import type { Output } from '../../src/cli/output.ts'
import { rebuild } from '../../src/cli/rebuild.ts'
import { dump } from '../readmodels/projector/folding.ts'
import { BAD_EVENTS, commit } from '../support/events.ts'
import { removeTempDirs } from '../support/temp.ts'
import { type CliHome, EVENTS, emptyHome, livedIn, writeLog } from './homes.ts'
import { answer, run } from './run.ts'

afterEach(removeTempDirs)

function dumpAt({ path }: CliHome): string {
  const db = new Database(path, { readonly: true })
  try {
    return dump(db)
  } finally {
    db.close()
  }
}

describe('rebuild', () => {
  it.each([
    ['logs', 'zstd'],
    ['logs', 'none'],
    ['journal', 'zstd'],
    ['both', 'zstd'],
    ['both', 'none'],
  ] as const)(
    'from %s (%s) brings the same memory back, also after the database was deleted',
    async (from, compression) => {
      const home = await livedIn({ compression })
      const before = dumpAt(home)
      rmSync(home.path)
      const ran = await run(['rebuild', '--home', home.home, '--from', from, '--json'])
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
      expect(answer(ran)).toMatchObject({
        path: home.path,
        from,
        blocks: 3,
        events: 4,
        namespaces: 1,
        skipped: {},
        issues: 0,
      })
      expect(dumpAt(home)).toBe(before)
    },
  )

  it('in place empties first: what is neither in logs nor journal is gone', async () => {
    const home = await livedIn()
    const db = new Database(home.path)
    db.exec("UPDATE memory_blocks SET text_content = 'tampered with'")
    db.close()
    expect((await run(['rebuild', '--home', home.home])).code).toBe(0)
    expect(dumpAt(home)).not.toContain('tampered with')
  })

  it('from logs leaves the journal as it is; from both it gets what it lacks', async () => {
    const home = emptyHome()
    writeLog(home, 's1', EVENTS)
    await run(['rebuild', '--home', home.home, '--from', 'logs'])
    expect(existsSync(home.journal)).toBe(false)
    await run(['rebuild', '--home', home.home, '--from', 'both'])
    const [stream = ''] = readdirSync(home.journal)
    expect(readFileSync(join(home.journal, stream), 'utf8').trim().split('\n')).toHaveLength(EVENTS.length)
  })

  it('reads logs that a host refuses: of a format it does not know, and with foreign lines', async () => {
    const home = emptyHome()
    writeLog(home, 'future', EVENTS, { version: 99 })
    const path = writeLog(home, 'odd', [commit(9, 'said in an odd log')], { compression: 'none' })
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"no/such/event","seq":1}\nnot even JSON\n`)
    const ran = await run(['rebuild', '--home', home.home, '--from', 'logs', '--json'])
    expect(ran.code).toBe(0)
    expect(answer(ran)).toMatchObject({ blocks: 4, events: 5 })
  })

  it('says what it passed over: on stderr for people, in the line for programs', async () => {
    const home = emptyHome()
    const path = writeLog(home, 's1', [...EVENTS, ...Object.values(BAD_EVENTS)], { compression: 'none' })
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"hologram/commit", torn\n`)
    const args = ['rebuild', '--home', home.home, '--from', 'logs']
    const people = await run(args)
    expect(people.code).toBe(0)
    expect(people.stdout.split('\n')).toHaveLength(2)
    for (const reason of ['malformed', 'newer_version', 'unknown_verb', '1 damaged places']) {
      expect(people.stderr).toContain(reason)
    }
    const programs = await run([...args, '--json'])
    expect(programs.stderr).toBe('')
    expect(answer(programs)).toMatchObject({ issues: 1, skipped: { malformed: 1, newer_version: 1, unknown_verb: 1 } })
  })

  it('of a database of another application is refused, and the file left', async () => {
    const home = await livedIn()
    rmSync(home.path)
    const other = new Database(home.path)
    other.exec('CREATE TABLE notes (text)')
    other.close()
    const before = readFileSync(home.path)
    const { code, stdout, stderr } = await run(['rebuild', '--home', home.home])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('another application')
    expect(readFileSync(home.path)).toEqual(before)
  })

  it('of a home where nothing was ever said is an empty memory, and no error', async () => {
    const ran = await run(['rebuild', '--home', emptyHome().home, '--json'])
    expect(ran.code).toBe(0)
    expect(answer(ran)).toMatchObject({ blocks: 0, events: 0 })
  })

  it.each([
    ['no database any more', (path: string) => writeFileSync(path, 'no database at all '.repeat(500))],
    [
      'full of flipped pages',
      (path: string) => {
        const bytes = readFileSync(path)
        for (let page = 1; page * 4_096 < bytes.length; page++) bytes.fill(0xa5, page * 4_096, page * 4_096 + 64)
        writeFileSync(path, bytes)
      },
    ],
  ])('of a database that is %s moves it aside, says so, and fills a new one', async (_, damage) => {
    const home = await livedIn()
    const before = dumpAt(home)
    damage(home.path)
    const damagedBytes = readFileSync(home.path)
    const { code, stderr } = await run(['rebuild', '--home', home.home])
    expect(code).toBe(0)
    expect(stderr).toContain('moved to')
    expect(dumpAt(home)).toBe(before)
    const aside = readdirSync(dirname(home.path)).filter(name => /\.corrupt-[^-]*[\dTZ-]+$/.test(name))
    expect(aside).toHaveLength(1)
    expect(readFileSync(join(dirname(home.path), aside[0] ?? '')).equals(damagedBytes)).toBe(true)
  })

  it('shows progress as remarks and one result, however long it takes', async () => {
    const home = emptyHome()
    writeLog(
      home,
      's1',
      Array.from({ length: 3_000 }, (_, n) => commit(n + 1, `fact number ${n} about port ${n}`)),
    )
    const [results, remarks] = [[] as string[], [] as string[]]
    const output: Output = { result: line => void results.push(line), remark: line => void remarks.push(line) }
    // To the progress report, every look at the clock is a minute later.
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 60_000
      return now
    })
    try {
      expect(await rebuild(readOptions(['rebuild', '--home', home.home, '--from', 'logs', '--json']), output)).toBe(0)
    } finally {
      clock.mockRestore()
    }
    expect(results.map(line => (JSON.parse(line) as { events: number }).events)).toEqual([3_000])
    expect(remarks.length).toBeGreaterThan(0)
    for (const line of remarks) expect(line).toMatch(/^events read: [\d,]+$/)
  })
})
