/** The command line as a user calls it: a process of its own. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { DSH_HOME: _, ...rest } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...rest, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', data => {
    stdout += String(data)
  })
  child.stderr.on('data', data => {
    stderr += String(data)
  })
  return new Promise(resolve => child.once('close', code => resolve({ code, stdout, stderr })))
}

/** The one JSON line that a command with `--json` prints. */
export function answer({ stdout }: Ran): Record<string, unknown> {
  const [line = '', ...rest] = stdout.split('\n')
  if (rest.join('') !== '') throw new Error(`more than one line on stdout: ${stdout}`)
  return JSON.parse(line) as Record<string, unknown>
}
