/** Copies of `src` with one change, tried in a process of their own. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '../support/temp.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Mutation {
  /** Below `src`. */
  readonly file: string
  /** Text that is there exactly once, and what stands there in the mutant. */
  readonly from: string
  readonly to: string
}

/** The laws that a mutant breaks, and how that shows; without a mutation, those that `src` itself breaks. */
export function brokenLaws(mutation: Mutation | undefined, rounds: number): Promise<Record<string, string>> {
  return checked(mutation, 'check.ts', String(rounds))
}

/** What a check of this folder prints of a mutant, or without a mutation of `src` itself. */
export async function checked(
  mutation: Mutation | undefined,
  check: string,
  argument: string,
): Promise<Record<string, string>> {
  const copy = tempDir()
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true })
  for (const room of ['mutations', 'properties', 'support', join('readmodels', 'projector')]) {
    mkdirSync(join(copy, 'test', room), { recursive: true })
    cpSync(join(ROOT, 'test', room), join(copy, 'test', room), { recursive: true })
  }
  for (const file of ['package.json', 'biome.json']) cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
  if (mutation !== undefined) mutate(join(copy, 'src', mutation.file), mutation)
  const child = spawn(process.execPath, [join(copy, 'test', 'mutations', check), argument])
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', data => {
    stdout += String(data)
  })
  child.stderr.on('data', data => {
    stderr += String(data)
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  // A mutant that does not even run proves nothing.
  if (code !== 0) throw new Error(`the check ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Record<string, string>
}

function mutate(path: string, { file, from, to }: Mutation): void {
  const parts = readFileSync(path, 'utf8').split(from)
  if (parts.length !== 2)
    throw new Error(`src/${file} holds ${JSON.stringify(from)} ${parts.length - 1} times, not once`)
  writeFileSync(path, parts.join(to))
}
