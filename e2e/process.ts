import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
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
