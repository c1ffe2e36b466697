/** Law 3: SIGKILL at any moment, and the host's own repair of its logs in between: nothing acknowledged lost, nothing unreal kept. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import * as plugin from '../../src/plugin/index.ts'
import { answer, run } from '../cli/run.ts'
import { bootHost } from '../support/host.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'

afterAll(removeTempDirs)

const CHILD = fileURLToPath(new URL('./crash-child.ts', import.meta.url))
type Compression = 'zstd' | 'none'

interface Reported {
  readonly wanted: readonly string[]
  readonly safe: readonly string[]
}

/** Lets a host commit and kills it so many milliseconds after its first acknowledgement. */
async function crash(home: string, compression: Compression, round: number, after: number): Promise<Reported> {
  const child = spawn(process.execPath, [CHILD, home, compression, String(round)])
  let [stdout, stderr] = ['', '']
  let timer: NodeJS.Timeout | undefined
  child.stdout.on('data', data => {
    stdout += String(data)
    if (timer === undefined && stdout.includes('safe ')) timer = setTimeout(() => child.kill('SIGKILL'), after)
  })
  child.stderr.on('data', data => {
    stderr += String(data)
  })
  const [code, signal] = await new Promise<[number | null, string | null]>(resolve =>
    child.once('close', (...how) => resolve(how)),
  )
  expect({ code, signal }, stderr).toEqual({ code: null, signal: 'SIGKILL' })
  const lines = (word: string) =>
    stdout.split('\n').flatMap(line => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
  return { wanted: lines('want'), safe: lines('safe') }
}

/** A stock host, without us, opens every session: that repairs their logs, by appending. */
async function repair(home: string, compression: Compression): Promise<void> {
  const host = await bootHost({ home, compression })
  try {
    // A session whose log was not begun yet is none to the host.
    for (const { id } of await host.ctx.sessionPersistence.list()) await host.resumeAgent(id)
  } finally {
    await host.stop()
  }
}

async function catchUp(home: string, compression: Compression): Promise<void> {
  const host = await bootHost({ home, compression })
  try {
    await host.mount(plugin, {})
    const end = performance.now() + 20_000
    while ((await host.ctx.stablemem.stats()).degraded.length > 0) {
      if (performance.now() > end) throw new Error('memory did not catch up')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    await host.ctx.stablemem.recall('fact', { scope: 'all' })
  } finally {
    await host.stop()
  }
}

function blocksIn(home: string): Set<string> {
  const db = new Database(join(home, 'hologram', 'memory.db'), { readonly: true })
  try {
    return new Set(db.prepare<[], string>('SELECT id FROM memory_blocks').pluck().all())
  } finally {
    db.close()
  }
}

describe.each(['zstd', 'none'] as const)('a host that is killed while it commits (%s)', compression => {
  it('has lost nothing it acknowledged and made up nothing, round after round', async () => {
    const home = tempDir()
    const wanted = new Set<string>()
    const safe = new Set<string>()
    for (let round = 0; round < 3; round++) {
      const after = Math.floor(Math.random() * 250)
      const reported = await crash(home, compression, round, after)
      for (const text of reported.wanted) wanted.add(blockId(text))
      for (const text of reported.safe) safe.add(blockId(text))
      expect(reported.safe.length, `killed after ${after} ms`).toBeGreaterThan(0)
      if (existsSync(join(home, 'sessions'))) await repair(home, compression)
      await catchUp(home, compression)
      const blocks = blocksIn(home)
      expect(
        [...safe].filter(id => !blocks.has(id)),
        `lost, killed after ${after} ms`,
      ).toEqual([])
      expect(
        [...blocks].filter(id => !wanted.has(id)),
        `unreal, killed after ${after} ms`,
      ).toEqual([])
      const verified = await run(['verify', '--home', home, '--from', 'both', '--json'])
      expect({ code: verified.code, ...answer(verified) }).toMatchObject({ code: 0, identical: true })
    }
  }, 180_000)
})
