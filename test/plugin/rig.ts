/** The plugin on the real host, with a scripted model: what most tests of this folder start from. */
import type { Fiber } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { MessageSource } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { afterAll, afterEach, expect } from 'vitest'
import type { StableMemory } from '../../src/plugin/index.ts'
import * as plugin from '../../src/plugin/index.ts'
import { bootHost, type Host, type HostOptions } from '../support/host.ts'
import { type ModelAnswer, type ModelServer, startModelServer, textsOf } from '../support/model-server.ts'
import { removeTempDirs, tempDir } from '../support/temp.ts'

export interface Rig {
  readonly host: Host
  readonly server: ModelServer
  /** The plugin's fiber: dispose it to unload. */
  readonly fiber: Fiber
  readonly memory: StableMemory
}

export interface RigOptions extends Partial<HostOptions> {
  readonly config?: object
  readonly answers?: readonly ModelAnswer[]
  /** Stop it after the file's last test, not after this one. */
  readonly keep?: boolean
}

interface Started {
  readonly hosts: Host[]
  readonly servers: ModelServer[]
}

const started: Started = { hosts: [], servers: [] }
const kept: Started = { hosts: [], servers: [] }

afterEach(() => stopAll(started))
afterAll(async () => {
  await stopAll(kept)
  removeTempDirs()
})

async function stopAll({ hosts, servers }: Started): Promise<void> {
  for (const host of hosts.splice(0)) await host.stop()
  for (const server of servers.splice(0)) await server.close()
}

/** A host and its model server, without our plugin. Stopped after the test. */
export async function boot(options: RigOptions = {}): Promise<{ host: Host; server: ModelServer }> {
  const { answers = [], keep = false, config: _, ...hostOptions } = options
  const { hosts, servers } = keep ? kept : started
  const server = await startModelServer(answers)
  servers.push(server)
  const host = await bootHost({ home: tempDir(), model: server.baseURL, ...hostOptions })
  hosts.push(host)
  return { host, server }
}

/** A deadline that a busy machine meets too; tests of the deadline itself set their own. */
export const PATIENT = { injection: { deadlineMs: 10_000 } }

export async function rig(options: RigOptions = {}): Promise<Rig> {
  const { host, server } = await boot(options)
  const { injection, ...config } = (options.config ?? {}) as { injection?: object }
  const fiber = await host.mount(plugin, { ...config, injection: { ...PATIENT.injection, ...injection } })
  return { host, server, fiber, memory: memoryOf(host) }
}

export function memoryOf(host: Host): StableMemory {
  const memory = host.ctx.get('stablemem')
  if (memory === undefined) throw new Error('the service is not there')
  return memory
}

/** Waits until stored logs are read: what is said of memory until then allows for what is not known yet. */
export async function allRead(memory: StableMemory): Promise<void> {
  await expect.poll(async () => (await memory.stats()).catchingUp, { timeout: 20_000 }).toBe(false)
}

let named = 0

/** An agent in a workspace; the host's home unless said otherwise. */
export function agentIn(host: Host, cwd = host.home): Promise<Agent> {
  named += 1
  return host.createAgent({ sessionId: `s${named}`, cwd })
}

/** The `<recalled-memory>` texts of the newest request the model got. */
export function recalledIn(server: ModelServer): string[] {
  return textsOf(server.last(), 'user').filter(text => text.startsWith('<recalled-memory'))
}

export interface Injected {
  readonly id: string
  readonly source: MessageSource
  readonly text: string
}

/** Our messages among a session's events. */
export function injectedIn(events: readonly SessionEvent[]): Injected[] {
  return events.flatMap(event => {
    if (event.type !== 'user/message') return []
    const { id, source, content } = event.data
    const text = content.map(block => (block.type === 'text' ? block.text : '')).join('')
    return text.startsWith('<recalled-memory') ? [{ id, source, text }] : []
  })
}

/** Payloads of our events of one verb. */
export function oursIn(events: readonly SessionEvent[], verb: string): Array<Record<string, unknown>> {
  return events.flatMap(event => {
    const { type, data } = event as { type: string; data: unknown }
    return type === `hologram/${verb}` ? [data as Record<string, unknown>] : []
  })
}
