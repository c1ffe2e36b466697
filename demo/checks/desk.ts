/** A real host with the plugin in it and a scripted model, for one checkpoint. */

import type { Fiber } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost, type Host } from '../../test/support/host.ts'
import { type ModelServer, startModelServer } from '../../test/support/model-server.ts'
import { tempDir } from '../../test/support/temp.ts'

export interface Desk {
  readonly host: Host
  readonly model: ModelServer
  /** The mounted plugin. */
  readonly plugin: Fiber
  /** A new session in the desk's workspace. */
  agent(id: string): Promise<Agent>
}

export interface DeskOptions {
  /** Settings of the plugin. */
  readonly config?: object
  /** The host's skill catalogue, as one more message in every batch. */
  readonly skills?: boolean
}

/** The checkpoints are about what happens, not about how fast this machine is. */
const PATIENT = { injection: { deadlineMs: 10_000 } }

export async function atDesk<T>(options: DeskOptions, run: (desk: Desk) => Promise<T>): Promise<T> {
  const model = await startModelServer()
  const home = tempDir('dsh-hologram-check-')
  const host = await bootHost({ home, model: model.baseURL, skills: options.skills === true })
  try {
    const plugin = await host.mount(hologram, { ...PATIENT, ...options.config })
    return await run({ host, model, plugin, agent: id => host.createAgent({ sessionId: id, cwd: home }) })
  } finally {
    await host.stop()
    await model.close()
  }
}

/** What a checkpoint found, in one line. */
export interface Found {
  readonly ok: boolean
  readonly evidence: string
}

/** Every condition by name; the line names those that do not hold. */
export function all(conditions: Readonly<Record<string, boolean>>, evidence: string): Found {
  const broken = Object.entries(conditions).flatMap(([name, holds]) => (holds ? [] : [name]))
  return broken.length === 0
    ? { ok: true, evidence }
    : { ok: false, evidence: `not so: ${broken.join('; ')}. ${evidence}` }
}

/** Whether an event has this type; ours are not among those that the host's types know everywhere. */
export function isType(event: SessionEvent, type: string): boolean {
  return (event.type as string) === type
}
