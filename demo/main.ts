/**
 * `npm run demo`: what this plugin is for, in four acts on the real host. Each act is a process of its own, so nothing
 * but files passes from one to the next.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ACTS = [
  ['commit', 'An agent is told how things are run, and commits the facts to memory.'],
  ['recall', 'Another day, another session. The same things are asked for in other words.'],
  ['rebuild', 'Database and journal are deleted. Memory comes back from the session logs alone.'],
  ['stock', 'The plugin is uninstalled. A stock host opens the first session.'],
] as const

/** An act takes seconds; one that takes this long, in milliseconds, hangs. */
const TOO_LONG_MS = 180_000

const PROLOGUE = `dsh-hologram, the demo
The host is the real one: the published DeepSeek Harness packages, with their own session logs on disk.
Only the model is scripted. It is reached over HTTP, and what it receives is shown as it arrives.`

const EPILOGUE = `All acts passed. What to take away:
  1. Every memory action is an event in the log of the session it was made in.
  2. What memory adds to a question is one message, and holds what bears on it.
  3. The database can be deleted. The logs are enough to have it back, identical.
  4. Without the plugin, every session still opens.`

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-hologram-demo-')))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

process.exitCode = await play()

async function play(): Promise<number> {
  const [home, workspace, temp] = ['home', 'workspace', 'tmp'].map(name => join(folder, name))
  for (const path of [home, workspace, temp]) mkdirSync(path ?? folder)
  console.log(PROLOGUE)
  for (const [at, [name, what]] of ACTS.entries()) {
    console.log(`\nAct ${at + 1}. ${what}`)
    const code = await run(
      fileURLToPath(new URL(`acts/${name}.ts`, import.meta.url)),
      [home ?? '', workspace ?? ''],
      temp,
    )
    if (code !== 0) {
      console.log(`\nAct ${at + 1} failed.`)
      return 1
    }
  }
  console.log(`\n${EPILOGUE}`)
  return 0
}

function run(script: string, args: readonly string[], temp = folder): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TMPDIR: temp }
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'inherit'], env })
    const timer = setTimeout(() => {
      console.log(`  FAILED: the act did not end within ${TOO_LONG_MS / 1_000} seconds`)
      child.kill('SIGKILL')
    }, TOO_LONG_MS)
    child.once('error', reject)
    child.once('exit', code => {
      clearTimeout(timer)
      resolve(code ?? 1)
    })
  })
}
