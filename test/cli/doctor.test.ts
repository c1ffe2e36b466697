import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkCarrier } from '../../src/cli/doctor/carrier.ts'
import { type Finding, reporter } from '../../src/cli/doctor/finding.ts'
import { checkNode } from '../../src/cli/doctor/node.ts'
import { checkProfiles } from '../../src/cli/doctor/profiles.ts'
import { encodeLine } from '../../src/logs/journal-line.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { commit } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'
import { type CliHome, EVENTS, emptyHome, livedIn, writeLog } from './homes.ts'
import { answer, run } from './run.ts'

afterAll(removeTempDirs)

async function examine({ home }: CliHome): Promise<{ code: number | null; ok: unknown; findings: Finding[] }> {
  const ran = await run(['doctor', '--home', home, '--json'])
  const { ok, findings } = answer(ran)
  return { code: ran.code, ok, findings: findings as Finding[] }
}

const of = (findings: readonly Finding[], check: string) => findings.filter(finding => finding.check === check)

function found(check: (report: ReturnType<typeof reporter>) => void): Finding[] {
  const findings: Finding[] = []
  check(reporter('x', findings))
  return findings
}

describe('doctor', () => {
  it('finds nothing to do in a home that is well, and says what it saw', async () => {
    const home = await livedIn()
    const { code, ok, findings } = await examine(home)
    expect([code, ok]).toEqual([0, true])
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
    expect(of(findings, 'node')).toMatchObject([{ level: 'ok' }])
    expect(of(findings, 'carrier')).toMatchObject([{ level: 'ok', text: expect.stringContaining('marks them') }])
    expect(of(findings, 'database')).toMatchObject([{ level: 'ok', text: expect.stringContaining('3 memories') }])
    expect(of(findings, 'journal')[0]?.text).toMatch(/all its 4 events are folded, the latest of \d{4}-/)
    expect(of(findings, 'sessions')).toMatchObject([
      { level: 'ok', text: expect.stringContaining('1 session logs') },
      { level: 'note', text: expect.stringContaining('0.1.3'), remedy: expect.stringContaining('detach') },
    ])
  })

  it('says it line by line, with what to do, and ends with a count', async () => {
    const home = await livedIn()
    rmSync(home.path)
    const told = await run(['doctor', '--home', home.home])
    expect(told.code).toBe(0)
    const lines = told.stdout.trimEnd().split('\n')
    expect(lines.find(line => line.startsWith('note    database: there is no database'))).toBeDefined()
    expect(lines).toContain('        The next start of the harness makes it.')
    expect(lines.at(-1)).toBe('no problems')
  })

  it('in an empty home there is nothing wrong, and nothing is made', async () => {
    const home = emptyHome()
    expect(await examine(home)).toMatchObject({ code: 0, ok: true })
    expect(readdirSync(home.home)).toEqual([])
    expect(await run(['doctor', 'now', '--home', home.home])).toMatchObject({ code: 2 })
  })

  it('counts events of the journal that are not folded, and says since when', async () => {
    const home = await livedIn()
    const other = join(home.journal, '00-other.jsonl')
    writeFileSync(other, [5, 6].map(n => encodeLine(commit(n, `shelf ${n}`))).join(''))
    const { code, findings } = await examine(home)
    expect(code).toBe(1)
    expect(of(findings, 'journal')).toMatchObject([
      {
        level: 'problem',
        text: expect.stringMatching(/^2 of the 6 events in .* are not in the database: nothing folded since \d{4}-/),
        remedy: expect.stringContaining('rebuild'),
      },
    ])
    expect(await run(['rebuild', '--home', home.home])).toMatchObject({ code: 0 })
    expect(await examine(home)).toMatchObject({ code: 0 })
  })

  it('names a damaged line of the journal and of a log, and lines that are of no use', async () => {
    const home = await livedIn()
    const stream = join(home.journal, '00-other.jsonl')
    const future = { type: 'hologram/commit', data: { ...(commit(9, 'x').data as object), v: 99 } }
    writeFileSync(stream, `garbage\n${encodeLine(future)}`)
    const log = writeLog(home, 's2', [commit(7, 'seven')], { compression: 'none' })
    writeFileSync(log, `${readFileSync(log, 'utf8')}{"type":"hologram/commit", torn\n`)
    const { findings, code } = await examine(home)
    expect(code).toBe(1)
    expect(of(findings, 'journal').map(({ level, text }) => [level, text])).toEqual([
      ['ok', expect.stringContaining('all its 4 events')],
      ['note', expect.stringContaining('1 events are of no use')],
      ['problem', expect.stringContaining(`${stream}, byte 0`)],
    ])
    expect(of(findings, 'sessions').map(({ level, text }) => [level, text])).toEqual([
      ['ok', expect.stringContaining('2 session logs')],
      ['note', expect.stringContaining('1 events of session logs are not known')],
      ['note', expect.stringContaining(`${log}, byte `)],
      ['note', expect.stringContaining('2 session logs that hold')],
    ])
  })

  it('finds events without the mark, which would brick their session', async () => {
    const home = emptyHome()
    const log = writeLog(home, 's1', EVENTS, { compression: 'none' })
    writeFileSync(log, readFileSync(log, 'utf8').replace('"ignorable":true,', ''))
    const { code, findings } = await examine(home)
    expect(code).toBe(1)
    expect(of(findings, 'sessions')[1]).toMatchObject({
      level: 'problem',
      text: `1 events of ours in ${log} are not marked: a host without the plugin refuses this session`,
      remedy: expect.stringContaining('detach --apply'),
    })
  })

  it.each([
    ['no database', 'not a database at all, of some length'.repeat(100)],
    ['a truncated one', undefined],
  ])('finds a database that is damaged: %s', async (_, bytes) => {
    const home = await livedIn()
    for (const suffix of ['-wal', '-shm']) rmSync(home.path + suffix, { force: true })
    const whole = readFileSync(home.path)
    writeFileSync(home.path, bytes ?? whole.subarray(0, 4096 * 3))
    const { code, findings } = await examine(home)
    expect(code).toBe(1)
    expect(of(findings, 'database')).toMatchObject([
      { level: 'problem', text: expect.stringContaining(home.path), remedy: expect.stringContaining('rebuild') },
    ])
    // What does not need it is looked at all the same.
    expect(of(findings, 'journal')[0]?.text).toContain('4 events')
  })

  it('tells of a database that was moved aside, and of work that was left', async () => {
    const home = await livedIn()
    writeFileSync(`${home.path}.corrupt-2026`, 'x')
    const store = new Store({ path: home.path, journal: home.journal })
    const lease = store.database.prepare('INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)')
    lease.run('centroid', 'process 7', Date.now() + 60_000)
    lease.run('distill', 'process 8', 1)
    store.close()
    const { code, findings } = await examine(home)
    expect(code).toBe(0)
    expect(of(findings, 'database').map(({ level, text }) => [level, text])).toEqual([
      ['note', 'a damaged database was kept as memory.db.corrupt-2026'],
      ['ok', expect.stringContaining('is sound')],
      ['ok', expect.stringMatching(/^work "centroid" is done by process 7, until /)],
      ['note', 'work "distill" is done by process 8, who let it lapse at 1970-01-01 00:00 UTC'],
    ])
  })

  it('goes on when something cannot be looked at, and says so', async () => {
    const home = await livedIn()
    rmSync(home.journal, { recursive: true })
    writeFileSync(home.journal, 'a file, not a folder')
    const { code, findings } = await examine(home)
    expect(code).toBe(1)
    expect(of(findings, 'journal')).toMatchObject([
      { level: 'problem', text: expect.stringContaining('could not be looked at: ENOTDIR') },
    ])
    expect(of(findings, 'sessions')[0]?.level).toBe('ok')
  })
})

describe('the checks', () => {
  it.each([
    ['20.19.0', 'problem'],
    ['22.18.9', 'problem'],
    ['22.19.0', 'ok'],
    ['23.0.0', 'problem'],
    ['24.0.0', 'ok'],
    ['26.1.0', 'ok'],
  ])('Node %s: %s', (version, level) => {
    expect(found(report => checkNode(report, version))).toMatchObject([{ level }])
  })

  const manifest = (home: string, name: string, content: unknown) => {
    const path = join(home, 'profiles', name, 'package.json')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const LOADED = { dependencies: { 'dsh-hologram': '*' }, dsh: { profile: { bundles: ['@x/y', 'dsh-hologram'] } } }

  it('of profiles: each that has the plugin, whether it loads it, and whether it is there', () => {
    const home = tempDir()
    manifest(home, 'bad', '{')
    manifest(home, 'gone', LOADED)
    manifest(home, 'idle', { dependencies: { 'dsh-hologram': '*' } })
    manifest(home, 'none', { dependencies: {} })
    manifest(home, 'web', LOADED)
    const installed = join(home, 'profiles', 'web', 'node_modules', 'dsh-hologram', 'package.json')
    mkdirSync(dirname(installed), { recursive: true })
    writeFileSync(installed, JSON.stringify({ version: '1.2.3' }))
    const findings = found(report => checkProfiles(report, home))
    expect(findings.map(({ level, text }) => [level, text.slice(0, 45)])).toEqual([
      ['problem', 'the manifest of profile bad cannot be read: /'],
      ['problem', 'profile gone loads the plugin, which is not i'],
      ['problem', 'profile idle has the package but does not loa'],
      ['ok', 'profile web has the plugin, version 1.2.3'],
    ])
    expect(findings[1]?.remedy).toContain('dsh plugin --profile gone add dsh-hologram')
  })

  it('of profiles: none has it, or there are none', () => {
    const home = tempDir()
    expect(found(report => checkProfiles(report, home))).toMatchObject([
      { level: 'note', text: `${home} has no profiles` },
    ])
    manifest(home, 'web', {})
    expect(found(report => checkProfiles(report, home))).toMatchObject([{ level: 'note', remedy: /dsh plugin/ }])
  })

  it.each([
    ['there is none', "import '@deepseek-ai/no-such-package'", 'note', 'were not tried|was not tried'],
    ['it breaks', "throw new Error('oh')", 'problem', 'could not be tried'],
    ['nothing works', `console.log('{"rejected":[{"strategy":"a","reason":"b"}]}')`, 'problem', 'a: b'],
    ['one works', `console.log('{"strategy":"plugin-record","rejected":[]}')`, 'ok', 'plugin-record'],
  ])('of the host packages: %s', async (_, script, level, text) => {
    const probe = join(tempDir(), 'probe.mjs')
    writeFileSync(probe, script)
    const findings: Finding[] = []
    await checkCarrier(reporter('x', findings), probe)
    expect(findings).toMatchObject([{ level, text: expect.stringMatching(text) }])
  })
})
