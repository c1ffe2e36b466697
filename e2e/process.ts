import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export const PROJECT = fileURLToPath(new URL('..', import.meta.url))

/** Run a program to its end with the project's own Node, npm scripts and pnpm first on PATH. Never throws on exit codes. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const env = { ...process.env, ...options.env, PATH: pathWithProjectTools() }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const out = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      out.stderr += text
    })
    // a host that hangs must fail the test, not stall it
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000)
    child.once('error', error => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: code ?? -1, ...out, stderr: signal === null ? out.stderr : `${out.stderr}\nkilled by ${signal}` })
    })
  })
}

/** A program that runs on. */
export interface Started {
  /** What it has printed so far. */
  readonly out: { readonly stdout: string; readonly stderr: string }
  /** Wait for it to print something; throws when it ends without, or takes over half a minute. */
  says(what: RegExp): Promise<RegExpExecArray>
  /** Ask it to end, and wait. */
  stop(): Promise<void>
}

/** Start a program with the project's own Node, npm scripts and pnpm first on PATH. */
export function start(command: string, args: readonly string[], options: RunOptions): Started {
  const env = { ...process.env, ...options.env, PATH: pathWithProjectTools() }
  const child = spawn(command, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      out[name] += text
    })
  }
  const ended = once(child, 'close')
  return {
    out,
    async says(what) {
      for (const end = Date.now() + 30_000; Date.now() < end && child.exitCode === null; await pause(50)) {
        const said = what.exec(out.stdout)
        if (said !== null) return said
      }
      child.kill('SIGKILL')
      throw new Error(`${args.join(' ')} did not say ${what}\n${out.stdout}\n${out.stderr}`)
    },
    async stop() {
      child.kill()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Run a program that must succeed; its output is in the error when it does not. */
export async function mustRun(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const ran = await run(command, args, options)
  if (ran.code !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${ran.code}\n${ran.stdout}\n${ran.stderr}`)
  return ran
}

/** `dsh plugin` calls `pnpm`, and npm's scripts call `node`: both must be the project's. */
function pathWithProjectTools(): string {
  return [join(PROJECT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
}
