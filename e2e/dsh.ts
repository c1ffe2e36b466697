/** Driving the real `dsh` binary: install it, give it a home of its own, hand it one task, look at what it left. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { storedSessionIds } from '../test/support/logs.ts'
import { tempDir } from '../test/support/temp.ts'
import { mustRun, PROJECT, type Ran, run, type Started, start } from './process.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const BIN = join(HERE, 'node_modules', '@deepseek-ai', 'dsh', 'lib', 'bin.js')
const STAMP = join(HERE, 'node_modules', '.installed-from')
const PROFILE = 'headless'
const WEB = 'web'

/** Install the pinned binary; does nothing when this very lock file is installed already. Returns whether it did. */
export async function installDsh(): Promise<boolean> {
  const lock = createHash('sha256')
    .update(readFileSync(join(HERE, 'pnpm-lock.yaml')))
    .digest('hex')
  if (existsSync(BIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return false
  await mustRun('pnpm', ['install', '--frozen-lockfile'], { cwd: HERE, timeoutMs: 600_000 })
  writeFileSync(STAMP, lock)
  return true
}

/** Build and pack this project the way it would be published; returns the tarball. */
export async function packProject(): Promise<string> {
  const to = tempDir('dsh-hologram-pack-')
  await mustRun('npm', ['pack', '--pack-destination', to], { cwd: PROJECT, timeoutMs: 300_000 })
  const tarball = readdirSync(to).find(file => file.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack left no tarball')
  return join(to, tarball)
}

export interface Task {
  /** $DSH_HOME of this run. */
  readonly home: string
  /** The workspace. */
  readonly cwd: string
  /** `baseURL` of the model server. */
  readonly model: string
  readonly task: string
  /** More patch overlays than our own `hmr.yml`. */
  readonly patches?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export interface TaskRan extends Ran {
  /** Sessions this run created. */
  readonly sessions: readonly string[]
}

/** A fresh $DSH_HOME. */
export function makeHome(): string {
  return tempDir('dsh-home-')
}

/** A fresh workspace directory. */
export function makeWorkspace(): string {
  return tempDir('workspace-')
}

export function sessionsRoot(home: string): string {
  return join(home, 'sessions')
}

/** One headless task in one process; the answer is on stdout. */
export async function runTask(task: Task): Promise<TaskRan> {
  const before = new Set(storedSessionIds(sessionsRoot(task.home)))
  const ran = await run(process.execPath, [BIN, '--profile', PROFILE, ...patchArgs(task), task.task], {
    cwd: task.cwd,
    ...(task.timeoutMs === undefined ? {} : { timeoutMs: task.timeoutMs }),
    env: { ...environment(task), ...task.env },
  })
  return { ...ran, sessions: storedSessionIds(sessionsRoot(task.home)).filter(id => !before.has(id)) }
}

/** A web UI that runs until it is stopped. */
export interface Web extends Started {
  readonly address: string
}

/** `dsh web` in a workspace, on a port of its own choice. */
export async function startWeb(task: Omit<Task, 'task' | 'timeoutMs'>): Promise<Web> {
  const args = [BIN, '--profile', WEB, ...patchArgs(task), '--no-open', '--port', String(await freePort())]
  const started = start(process.execPath, args, { cwd: task.cwd, env: { ...environment(task), ...task.env } })
  const [, address = ''] = await started.says(/dsh web: (http:\S+)/)
  return { ...started, address }
}

function patchArgs({ patches = [] }: Pick<Task, 'patches'>): string[] {
  return [join(HERE, 'hmr.yml'), ...patches].flatMap(file => ['--patch', file])
}

function environment({ home, model }: Pick<Task, 'home' | 'model'>): Record<string, string> {
  // the user's own home may hold skills and instructions; a run must not see them
  const userHome = join(home, 'user')
  // the host leaves a spill directory in the temporary directory of every run
  const temp = join(home, 'tmp')
  for (const dir of [userHome, temp]) mkdirSync(dir, { recursive: true })
  return {
    DSH_HOME: home,
    HOME: userHome,
    USERPROFILE: userHome,
    TMPDIR: temp,
    DEEPSEEK_BASE_URL: model,
    DEEPSEEK_API_KEY: 'e2e-key',
    DSH_TELEMETRY_DISABLED: '1',
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** `dsh plugin --profile headless <args>`; the home stays the user's, since pnpm keeps its store and settings there. */
export function plugin(home: string, ...args: string[]): Promise<Ran> {
  return pluginIn(PROFILE, home, ...args)
}

/** The same for the web profile. */
export function webPlugin(home: string, ...args: string[]): Promise<Ran> {
  return pluginIn(WEB, home, ...args)
}

function pluginIn(profile: string, home: string, ...args: string[]): Promise<Ran> {
  return run(process.execPath, [BIN, 'plugin', '--profile', profile, ...args], {
    cwd: home,
    env: { DSH_HOME: home },
    timeoutMs: 300_000,
  })
}

/** Plugin bundles the profile is made of, from its manifest. */
export function bundles(home: string): readonly string[] {
  const manifest = join(home, 'profiles', PROFILE, 'package.json')
  if (!existsSync(manifest)) return []
  const parsed = JSON.parse(readFileSync(manifest, 'utf8')) as { dsh?: { profile?: { bundles?: string[] } } }
  return parsed.dsh?.profile?.bundles ?? []
}
