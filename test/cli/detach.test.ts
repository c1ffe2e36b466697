/** The command as it is called, in a process of its own: no host, no plugin. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { noopLine } from '../../src/logs/detach/noop.ts'
import { HEADER, sessionLine } from '../logs/samples.ts'
import { commit } from '../support/events.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'

afterEach(removeTempDirs)

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'detach', ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const log = (count: number) =>
  HEADER +
  Array.from({ length: count }, (_, seq) => sessionLine({ ...commit(seq + 1, `text ${seq}`), seq, time: seq })).join('')
const detached = (count: number) =>
  HEADER + Array.from({ length: count }, (_, seq) => `${noopLine(seq, seq)}\n`).join('')

function home(logs: Readonly<Record<string, string>>) {
  const root = tempDir()
  const path = (id: string) => join(root, 'sessions', 'project', id, 'session.jsonl')
  for (const [id, text] of Object.entries(logs)) {
    mkdirSync(join(path(id), '..'), { recursive: true })
    writeFileSync(path(id), text)
    utimesSync(path(id), 1, 1)
  }
  return { root, path }
}

it('copies by default, swaps in with --apply, and is done at the second call', () => {
  const { root, path } = home({ a: log(2), b: HEADER })
  const copied = run('--home', root)
  expect(copied).toMatchObject({ status: 0, stderr: expect.stringContaining('--apply') })
  expect(copied.stdout).toContain(`copied: a, 2 of 3 lines replaced, to ${path('a')}.detached`)
  expect(copied.stdout).toContain('1 copied, 1 without events of ours, 0 left as they are; 2 events were new')
  expect(readFileSync(path('a'), 'utf8')).toBe(log(2))

  const applied = run('--home', root, '--apply', '--json')
  expect(applied.stderr).toBe('')
  expect(applied.status).toBe(0)
  expect(JSON.parse(applied.stdout)).toMatchObject({
    apply: true,
    applied: 1,
    clean: 1,
    left: 0,
    secured: 0,
    sessions: [
      { session: 'b', status: 'clean' },
      { session: 'a', status: 'applied', events: 2, lines: 3, backup: `${path('a')}.before-detach` },
    ],
  })
  expect(readFileSync(path('a'), 'utf8')).toBe(detached(2))
  expect(run('--home', root, '--apply').stdout).toContain('2 sessions: 0 detached, 0 copied, 2 without events of ours')
})

it('takes sessions by name, folders and a place for copies', () => {
  const { root, path } = home({ a: log(1), b: log(1) })
  const out = join(tempDir(), 'out')
  const journal = join(tempDir(), 'journal')
  const result = run('b', '--sessions', join(root, 'sessions'), '--journal', journal, '--out', out)
  expect(result.status).toBe(0)
  expect(readFileSync(join(out, 'project', 'b', 'session.jsonl'), 'utf8')).toBe(detached(1))
  expect(readdirSync(journal)).toHaveLength(1)
  expect([path('a'), path('b')].map(file => readFileSync(file, 'utf8'))).toEqual([log(1), log(1)])
})

it('1 when a session was left as it is, which is named with the reason; 2 when the call is wrong', () => {
  const { root, path } = home({ a: log(1), bad: `${log(1)}rubbish\n` })
  const some = run('--home', root, '--apply')
  expect(some.status).toBe(1)
  expect(some.stdout).toContain(`left as it is: bad (${path('bad')}): line 3 is not valid JSON`)
  expect(some.stdout).toContain('detached: a')

  expect(run('--home', root, 'nobody')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no session nobody'),
  })
  expect(run('--home', root, '--apply', '--out', tempDir()).status).toBe(2)
  expect(run('--home', root, '--out', join(root, 'sessions')).status).toBe(2)
})

it.runIf(process.platform === 'linux')('2 while a process has the memory of this home open', async () => {
  const { root, path } = home({ a: log(1) })
  const database = join(root, 'hologram', 'memory.db')
  mkdirSync(join(root, 'hologram'))
  const script = `require('fs').openSync(${JSON.stringify(database)}, 'w'); console.log('up'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    await new Promise(resolve => holder.stdout.once('data', resolve))
    const result = run('--home', root, '--apply')
    expect(result).toMatchObject({ status: 2, stderr: expect.stringContaining(`process ${holder.pid}`) })
    expect(readFileSync(path('a'), 'utf8')).toBe(log(1))
    expect(existsSync(join(root, 'hologram', 'journal'))).toBe(false)
  } finally {
    holder.kill('SIGKILL')
  }
})

const MOMENTS: Readonly<Record<string, (files: readonly string[], journal: boolean) => boolean>> = {
  'the journal is begun': (_, journal) => journal,
  'the copy is begun': files => files.some(file => file.includes('.detaching-')),
  'the backup is made': files => files.some(file => file.endsWith('.before-detach')),
}

it.each(Object.keys(MOMENTS))(
  'killed when %s, leaves a whole log under its name; the next call finishes',
  async name => {
    const count = 6_000
    const { root, path } = home({ a: log(count) })
    const folder = join(path('a'), '..')
    const child = spawn(process.execPath, [MAIN, 'detach', '--home', root, '--apply'], { stdio: 'ignore' })
    const ended = new Promise(resolve => child.once('close', (_, signal) => resolve(signal)))
    const watch = setInterval(() => {
      if (MOMENTS[name]?.(readdirSync(folder), existsSync(join(root, 'hologram', 'journal')))) child.kill('SIGKILL')
    }, 1)
    const signal = await ended
    clearInterval(watch)
    const left = readFileSync(path('a'), 'utf8')
    // between backup and end lie microseconds: there the call may have been faster
    if (name !== 'the backup is made') expect([signal, left === log(count)]).toEqual(['SIGKILL', true])
    expect([log(count), detached(count)]).toContain(left)

    expect(run('--home', root, '--apply').status).toBe(0)
    expect(readFileSync(path('a'), 'utf8')).toBe(detached(count))
    expect(readFileSync(`${path('a')}.before-detach`, 'utf8')).toBe(log(count))
    expect(readdirSync(folder)).toHaveLength(2)
  },
)
