import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { listProc } from '../../../src/logs/detach/host-proc.ts'
import { findHosts, isHostCommand, listCommands } from '../../../src/logs/detach/host-processes.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'

const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  removeTempDirs()
})

/** A process that looks like the host's launcher, and says when it is up. */
async function launch(script: string, env: NodeJS.ProcessEnv, body = ''): Promise<number> {
  mkdirSync(join(script, '..'), { recursive: true })
  writeFileSync(script, `${body}\nconsole.log('up')\nsetInterval(() => {}, 1_000)\n`)
  const { DSH_HOME: _, ...inherited } = process.env
  const child = spawn(process.execPath, [script, '--profile', 'web'], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  await new Promise(resolve => child.stdout?.once('data', resolve))
  return child.pid ?? -1
}

const bin = () => join(tempDir(), 'node_modules', '@deepseek-ai', 'dsh', 'lib', 'bin.js')

describe.runIf(process.platform === 'linux')('running hosts', () => {
  const pids = async (home: string, paths: string[] = []) => (await findHosts({ home, paths })).map(({ pid }) => pid)

  it('are found by their command and home', async () => {
    const home = tempDir()
    const pid = await launch(bin(), { DSH_HOME: home })
    expect(await pids(home)).toContain(pid)
    expect(await pids(tempDir())).not.toContain(pid)
  })

  it('count for every home when they were not given one', async () => {
    const proc = tempDir()
    const home = tempDir()
    const pretend = (pid: number, cmdline: string, environ: string) => {
      mkdirSync(join(proc, String(pid)))
      writeFileSync(join(proc, String(pid), 'cmdline'), cmdline)
      writeFileSync(join(proc, String(pid), 'environ'), environ)
    }
    pretend(2_000_001, 'node\0/usr/bin/dsh\0web\0', 'HOME=/h\0')
    pretend(2_000_002, 'node\0/usr/bin/dsh\0web\0', 'DSH_HOME=/elsewhere\0')
    pretend(2_000_003, 'node\0/usr/bin/dsh-hologram\0verify\0', `DSH_HOME=${home}\0`)
    pretend(2_000_004, '/opt/dsh\0--profile\0web\0', `DSH_HOME=${home}\0`)
    mkdirSync(join(proc, '2000005'))
    const found = await listProc({ home, paths: [] }, proc)
    expect(found.map(({ pid }) => pid)).toEqual([2_000_001, 2_000_004])
  })

  it('are found by what they have open, whatever they are called', async () => {
    const folder = tempDir()
    const database = join(folder, 'memory.db')
    const script = join(tempDir(), 'embedded.cjs')
    const pid = await launch(
      script,
      { DSH_HOME: tempDir() },
      `require('fs').openSync(${JSON.stringify(database)}, 'w')`,
    )
    expect(await findHosts({ home: tempDir(), paths: [database] })).toContainEqual({
      pid,
      why: `it has ${database} open`,
    })
    expect(await pids(tempDir(), [folder])).toContain(pid)
    expect(await pids(tempDir(), [tempDir()])).not.toContain(pid)
  })

  it('are found in the list of other systems', async () => {
    const pid = await launch(bin(), { DSH_HOME: tempDir() })
    const found = await listCommands('ps', ['-axww', '-o', 'pid=,args='])
    expect(found.map(host => host.pid)).toContain(pid)
  })

  it('a list that cannot be had is an error, not an empty list', async () => {
    await expect(listCommands('no-such-program', [])).rejects.toThrow()
  })
})

it.each([
  ['node /usr/local/bin/dsh --profile web', true],
  ['dsh web', true],
  ['"C:\\node.exe" "C:\\x\\node_modules\\@deepseek-ai\\dsh\\lib\\bin.js" --profile tui', true],
  ['C:\\npm\\dsh.cmd web', true],
  ['node /usr/local/bin/dsh-hologram detach --apply', false],
  ['vim notes-dsh.md', false],
])('%s: %s', (command, host) => {
  expect(isHostCommand(command)).toBe(host)
})
