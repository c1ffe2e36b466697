import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'

/** A process that may be writing session logs, and what gave it away. */
export interface HostProcess {
  readonly pid: number
  readonly why: string
}

/** What a host of interest works on: its home, and the folders and files below which it would have something open. */
export interface HostPlaces {
  readonly home: string
  readonly paths: readonly string[]
}

/** Reads `/proc`. Processes of other users show neither environment nor open files; they count by their command. */
export async function listProc({ home, paths }: HostPlaces, root = '/proc'): Promise<HostProcess[]> {
  const ownHome = await real(home)
  const ownPaths = await Promise.all(paths.map(real))
  const found: HostProcess[] = []
  for (const name of await readdir(root)) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const proc = join(root, name)
    const open = await openBelow(proc, ownPaths)
    if (open !== undefined) found.push({ pid, why: `it has ${open} open` })
    else if (await isHostOf(proc, ownHome)) found.push({ pid, why: 'it is a host' })
  }
  return found
}

async function openBelow(proc: string, paths: readonly string[]): Promise<string | undefined> {
  const descriptors = await readdir(join(proc, 'fd')).catch(() => [])
  for (const descriptor of descriptors) {
    const target = await readlink(join(proc, 'fd', descriptor)).catch(() => '')
    if (paths.some(path => target === path || target.startsWith(path + sep))) return target
  }
  return undefined
}

/** A host that was given another home is none of ours; one that was given none may take it from files we do not see. */
async function isHostOf(proc: string, home: string): Promise<boolean> {
  const argv = await strings(join(proc, 'cmdline'))
  if (!isHost(argv)) return false
  const given = (await strings(join(proc, 'environ'))).find(entry => entry.startsWith('DSH_HOME='))?.slice(9)
  if (given === undefined || given.trim() === '') return true
  return given.startsWith('/') ? (await real(given.trim())) === home : true
}

/** `dsh …`, or `node … /path/to/dsh …`; the launcher's own file is also known by its package. */
function isHost([program = '', ...args]: readonly string[]): boolean {
  if (basename(program) === 'dsh') return true
  if (!/^(node|nodejs|bun|deno)\b/.test(basename(program))) return false
  return args.slice(0, 8).some(arg => basename(arg) === 'dsh' || arg.endsWith('@deepseek-ai/dsh/lib/bin.js'))
}

async function strings(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\0')
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
