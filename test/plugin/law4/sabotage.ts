/** Ways to break what stands behind the plugin, from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { memoryPaths } from '../../../src/logs/index.ts'
import { leaseReadModel } from '../../../src/plugin/shared.ts'
import { WorkerReadModel } from '../../../src/readmodels/index.ts'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, type Rig } from '../rig.ts'

export const QUESTION = 'where is the runbook?'
export const NOTE = 'the runbook lies in drawer 4324'

/** The read model that the mounted plugin uses; the host must be the one that runs. */
export function modelOf({ host }: Rig): WorkerReadModel {
  const lease = leaseReadModel(memoryPaths({}, host.home))
  void lease.release()
  if (!(lease.model instanceof WorkerReadModel)) throw new Error('the read model has no worker')
  return lease.model
}

/** Puts the note where the question finds it, and gives a session to ask in. */
export async function ready(made: Rig): Promise<Agent> {
  await made.memory.commit({ text: NOTE }, { session: (await agentIn(made.host)).session })
  return agentIn(made.host)
}

const LOCKER = `
import { createRequire } from 'node:module'
const [here, path] = process.argv.slice(-2)
const Database = createRequire(here)('better-sqlite3')
const db = new Database(path, { timeout: 0 })
try {
  db.exec('BEGIN IMMEDIATE')
  console.log('locked')
} catch (error) {
  console.log(error.code)
}
process.stdin.resume().once('end', () => process.exit())
`

export interface Lock {
  /** `locked`, or why it could not be. */
  readonly state: string
  release(): Promise<void>
}

/** Another process that takes the write lock of a database, if it can, and holds it. */
export async function lockDatabase(path: string): Promise<Lock> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOCKER, import.meta.filename, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    state: said.toString().trim(),
    async release() {
      child.stdin.end()
      await exited
    },
  }
}

export interface Turn {
  readonly types: readonly string[]
  readonly end: unknown
  readonly words: string | undefined
  readonly injected: boolean
  readonly milliseconds: number
}

/** Runs a turn and says what became of it. */
export async function turn(
  { host, server }: Pick<Rig, 'host' | 'server'>,
  agent: Agent,
  text = QUESTION,
): Promise<Turn> {
  const started = performance.now()
  const events: readonly SessionEvent[] = await host.runTurn(agent, text)
  const milliseconds = performance.now() - started
  const texts = textsOf(server.last(), 'user')
  return {
    types: events.map(({ type }) => String(type)).filter(type => !type.startsWith('hologram/')),
    end: events.at(-1)?.data,
    words: texts.find(seen => seen === text),
    injected: texts.some(seen => seen.startsWith('<recalled-memory')),
    milliseconds,
  }
}

/** What every turn must be, whatever memory does. */
export const INTACT = { end: { turn: 1, reason: { kind: 'completed' } }, words: QUESTION }
