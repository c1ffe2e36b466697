/**
 * The real host, in this process: the services of the published packages, wired as the `dsh` binary wires them, with only
 * the launcher's environment made up. Nothing here knows our plugin; tests mount it with `host.mount`.
 */
import { join } from 'node:path'
import { Context, type Fiber, Logger, type Plugin } from '@deepseek-ai/cordis'
import { type Agent, type AgentHandle, AgentRegistry, type CreateAgentOptions } from '@deepseek-ai/dsh-agent'
import { AgentLoop } from '@deepseek-ai/dsh-agent-loop'
import { CommandRuntime } from '@deepseek-ai/dsh-commands'
import { type BasicCompactionConfig, BasicCompactionEngine } from '@deepseek-ai/dsh-compaction-basic'
import { createLaunchEnvironmentSnapshot, DSH_LAUNCH_ENVIRONMENT_KEY } from '@deepseek-ai/dsh-launch-environment'
import { createUserMessage, LlmRuntime, type MessageSource, type UserMessage } from '@deepseek-ai/dsh-llm'
import * as deepseek from '@deepseek-ai/dsh-llm-deepseek'
import { type SessionEvent, SessionId, SessionStore } from '@deepseek-ai/dsh-session'
import { type JsonlCompression, JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SessionProjectionRegistry } from '@deepseek-ai/dsh-session-projection'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { TokenMeter } from '@deepseek-ai/dsh-token-meter'
import { ToolRuntime } from '@deepseek-ai/dsh-tools'
import { mountSkills } from './skills.ts'

export interface HostOptions {
  /** Stands for $DSH_HOME; sessions go to `<home>/sessions`, as in the product. */
  readonly home: string
  /** Where sessions are kept instead. */
  readonly sessionsRoot?: string
  /** Physical form of the session logs; the product's default is zstd. */
  readonly compression?: JsonlCompression
  /** `baseURL` of a model server; without it no model adapter is mounted and a turn ends in an error. */
  readonly model?: string
  /** Default true. */
  readonly persistence?: boolean
  /** Default true: one constant context section, so that the real loop adds its runtime-context message to the batch. */
  readonly runtimeContext?: boolean
  /** Default false: the real skill registry and tool, which add a `skill-catalog` message to the batch. */
  readonly skills?: boolean
  /** Default none: the real token meter and compaction engine. */
  readonly compaction?: BasicCompactionConfig
  /** Default false: the real slash-command service. */
  readonly commands?: boolean
  /** Runs on the bare context, before any service is mounted. */
  readonly before?: (ctx: Context) => void
}

export interface AgentSpec {
  readonly sessionId: string
  readonly cwd?: string
  readonly origin?: 'subagent'
  readonly delegationDepth?: number
  readonly parentSession?: string
  /** A fork: the events the child starts with; `seedLength` of them are the parent's. */
  readonly seed?: readonly SessionEvent[]
  readonly seedLength?: number
}

export interface LogLine {
  readonly type: string
  readonly name: string
  readonly text: string
}

export interface Host {
  readonly ctx: Context
  readonly home: string
  readonly sessionsRoot: string
  /** Undefined when booted with `persistence: false`. Dispose and mount again to play a hot reload. */
  readonly persistenceFiber: Fiber | undefined
  /** Everything the host and its plugins logged. */
  readonly logs: readonly LogLine[]
  createAgent(spec: AgentSpec): Promise<Agent>
  resumeAgent(sessionId: string): Promise<Agent>
  /** End one agent (and its session) as the host does when its owner goes away. */
  disposeAgent(agent: Agent): Promise<void>
  /** Send what a human typed (or another source) and wait for the agent to be idle. */
  runTurn(agent: Agent, text: string, source?: MessageSource): Promise<SessionEvent[]>
  /** The same for a ready-made message. */
  runMessage(agent: Agent, message: UserMessage): Promise<SessionEvent[]>
  /** Wait until everything this agent's session holds is on disk. */
  flush(agent: Agent): Promise<void>
  /** Mount a plugin and wait for it; throws what it throws, and when a required service is missing. */
  mount(plugin: Plugin, config?: unknown): Promise<Fiber>
  /** Dispose agents, then plugins and services in reverse order. Flushes persistence. Idempotent. */
  stop(): Promise<void>
}

/** The text of the constant runtime-context section. */
export const RUNTIME_CONTEXT = 'The desk lamp is on.'

/** What the adapter calls its provider and one of its models; agents are created with this route. */
export const ROUTE = { provider: 'deepseek-official', model: 'deepseek-v4-flash' } as const

/** `FiberState.ACTIVE`; the host exports it as a const enum, which isolated modules cannot read. */
const ACTIVE = 2

export async function bootHost(options: HostOptions): Promise<Host> {
  const { home } = options
  const sessionsRoot = options.sessionsRoot ?? join(home, 'sessions')
  const restoreHome = enterHome(home)
  const ctx = new Context()
  const logs: LogLine[] = []
  ctx.logger.exporter({
    levels: { default: 3 },
    export(message) {
      logs.push({ type: message.type, name: message.name, text: Logger.format({ export: () => {} }, message) })
    },
  })
  options.before?.(ctx)
  ctx.provide(DSH_LAUNCH_ENVIRONMENT_KEY, launchEnvironment(home, options.model))

  const fibers: Fiber[] = []
  const handles = new Map<Agent, AgentHandle>()

  const mount = async (plugin: Plugin, config?: unknown): Promise<Fiber> => {
    const fiber = await mountOn(ctx, plugin, config)
    fibers.push(fiber)
    return fiber
  }

  await mount(LlmRuntime)
  await mount(SessionStore)
  await mount(SystemPrompt, {})
  await mount(ToolRuntime, {})
  await mount(AgentRegistry)
  await mount(SessionProjectionRegistry)
  const persistenceFiber =
    options.persistence === false
      ? undefined
      : await mount(JsonlSessionPersistence, { root: sessionsRoot, compression: options.compression ?? 'zstd' })
  if (options.commands === true) await mount(CommandRuntime)
  if (options.compaction !== undefined) {
    await mount(TokenMeter, {})
    await mount(BasicCompactionEngine, options.compaction)
  }
  await mount(AgentLoop, { agents: [] })
  if (options.model !== undefined) await mount(deepseek, {})
  if (options.skills === true) fibers.push(...(await mountSkills(ctx)))
  if (options.runtimeContext !== false) {
    ctx.get('systemPrompt')?.context({ name: 'test:desk', order: 10, text: RUNTIME_CONTEXT })
  }

  const keep = (handle: AgentHandle): Agent => {
    handles.set(handle.agent, handle)
    return handle.agent
  }

  const runMessage = async (agent: Agent, message: UserMessage): Promise<SessionEvent[]> => {
    const from = agent.session.seq
    agent.followup(message)
    await agent.whenIdle()
    return agent.session.events.slice(from)
  }

  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    for (const handle of [...handles.values()].reverse()) await handle.dispose()
    handles.clear()
    for (const fiber of [...fibers].reverse()) await fiber.dispose()
    await ctx.fiber.dispose()
    restoreHome()
  }

  return {
    ctx,
    home,
    sessionsRoot,
    persistenceFiber,
    logs,
    createAgent: async spec => keep(await ctx.agents.create(createOptions(spec))),
    resumeAgent: async id =>
      keep(await ctx.agents.resume({ resumeSessionId: SessionId(id), agentOptions: { ...ROUTE } })),
    async disposeAgent(agent) {
      await handles.get(agent)?.dispose()
      handles.delete(agent)
    },
    runTurn: (agent, text, source = { kind: 'user' }) =>
      runMessage(agent, createUserMessage({ content: [{ type: 'text', text }], source })),
    runMessage,
    async flush(agent) {
      await ctx.sessions.flush(agent.session)
    },
    mount,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

async function mountOn(ctx: Context, plugin: Plugin, config?: unknown): Promise<Fiber> {
  const fiber = await ctx.plugin(plugin, config)
  if (fiber.state !== ACTIVE) {
    // a plugin whose services are missing waits for ever; in a test that is always a mistake
    const missing = Object.keys(fiber.inject).filter(name => ctx.get(name) === undefined)
    throw new Error(`plugin "${fiber.name}" did not start; missing services: ${missing.join(', ') || 'none'}`)
  }
  return fiber
}

function createOptions(spec: AgentSpec): CreateAgentOptions {
  return {
    sessionId: SessionId(spec.sessionId),
    agentOptions: { ...ROUTE },
    ...(spec.seed === undefined ? {} : { seed: spec.seed }),
    meta: {
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      ...(spec.origin === undefined ? {} : { origin: spec.origin }),
      ...(spec.delegationDepth === undefined ? {} : { delegationDepth: spec.delegationDepth }),
      ...(spec.parentSession === undefined ? {} : { parentSession: SessionId(spec.parentSession) }),
      ...(spec.seedLength === undefined ? {} : { seedLength: spec.seedLength }),
    },
  }
}

/** The launcher's frozen environment: the only place the adapter looks for its endpoint and key. */
function launchEnvironment(home: string, model: string | undefined) {
  const values: Record<string, string> = { DSH_HOME: home }
  if (model !== undefined) {
    values.DEEPSEEK_BASE_URL = model
    values.DEEPSEEK_API_KEY = 'test-key'
  }
  return createLaunchEnvironmentSnapshot([{ source: 'process', values }])
}

/** Some packages ask the process for $DSH_HOME (the adapter keeps its anonymous id there): never let that be the user's. */
function enterHome(home: string): () => void {
  const before = process.env.DSH_HOME
  process.env.DSH_HOME = home
  return () => {
    if (process.env.DSH_HOME !== home) return
    if (before === undefined) delete process.env.DSH_HOME
    else process.env.DSH_HOME = before
  }
}
