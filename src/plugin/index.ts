/**
 * dsh-hologram: memory for DeepSeek Harness, event-sourced over the session log.
 *
 * @module dsh-hologram
 */
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import { SESSION_FORMAT_VERSION, type Session, SessionId } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { embeddingProvider } from '../embedding/index.ts'
import { defaultSessionRoot, memoryPaths } from '../logs/index.ts'
import type { ReadModel } from '../readmodels/index.ts'
import { rulesFor } from '../redaction/index.ts'
import { type Config, unknownSettings } from './config.ts'
import { Backfill } from './embedding/backfill.ts'
import { Embedder } from './embedding/embedder.ts'
import { findCarrier, installSecondLock } from './host/carrier/index.ts'
import { followTurns } from './host/place.ts'
import { registerProjections } from './host/projections.ts'
import { recallBeforeStep } from './injection/pre-step.ts'
import { Memory } from './memory.ts'
import { Namespaces } from './namespace.ts'
import { registerPromptIndex } from './prompt-index.ts'
import { StableMemory } from './service.ts'
import { leaseReadModel } from './shared.ts'
import { registerSlashCommand } from './slash/memory.ts'
import { memoryTools } from './tools/index.ts'
import { SessionWriter } from './writer.ts'

export { CommandRefusedError } from '../commands/index.ts'
export { Config } from './config.ts'
export type { Committed, MaybePending, Merged, Purged, RecallOptions } from './memory.ts'
export { MemoryUnavailableError } from './recorder.ts'
export type { OnBehalf } from './service.ts'
export { StableMemory } from './service.ts'

/** How long a harness that starts waits for memory, in milliseconds. */
const START_WAIT_MS = 2_000

export const name = 'hologram'

/** Only what every harness has; what a harness may lack is asked for inside. */
export const inject = ['sessions', 'agents', 'tools', 'systemPrompt', 'sessionProjections']

export async function apply(ctx: Context, config: Config): Promise<void> {
  for (const message of unknownSettings(config)) ctx.logger.error(message)
  // Patterns of a user's own that cannot be used are refused: to leave them out would leave secrets in.
  rulesFor(config.redaction)
  const lease = leaseReadModel(memoryPaths(config))
  ctx.effect(() => () => lease.release(), 'hologram worker')
  void warnOfTrouble(ctx, lease.model)

  const { carrier, rejected } = findCarrier()
  if (carrier === undefined) {
    const reasons = rejected.map(({ strategy, reason }) => `${strategy}: ${reason}`).join('; ')
    ctx.logger.warn(`this host has no safe way for memory events in sessions; they go to the journal only (${reasons})`)
  }
  installSecondLock(ctx)

  const provider = embeddingProvider(config.embed)
  ctx.effect(() => () => provider.close(), 'hologram embedding')
  if (provider.problem !== undefined && provider.problem.code !== 'no_provider') {
    ctx.logger.error(`there are no vectors: ${provider.problem.message}`)
  }

  const memory = new Memory(ctx, {
    model: lease.model,
    embedder: new Embedder(provider, config.embed.budgetMs),
    writer: new SessionWriter(ctx, carrier),
    namespaces: new Namespaces(config.namespace, id => findHeader(ctx, id)),
    projections: registerProjections(ctx, ({ key, where, error }) => {
      ctx.logger.warn(`the ${where} of ${key} failed and was contained: ${String(error)}`)
    }),
    placeOf: followTurns(ctx),
    config,
  })

  provideService(ctx, memory)
  for (const tool of memoryTools(memory)) ctx.tools.register(tool)
  registerPromptIndex(ctx, config.toolName)
  registerSlashCommand(ctx, memory)

  // Outermost, so that what compaction and others decided inside is known.
  ctx.on('agent/pre-step', (step, next) => recallBeforeStep(memory, step, next), { prepend: true })

  for (const session of ctx.sessions.list()) memory.recorder.adopt(session)
  // A throw here would veto the session, and its log is read when its creation has unwound.
  ctx.on('session/created', session => {
    setImmediate(() => memory.recorder.adopt(session))
  })

  const stopping = new AbortController()
  ctx.effect(() => () => stopping.abort(), 'hologram backfill')
  void new Backfill(ctx, { provider, model: lease.model, recorder: memory.recorder }).run(stopping.signal)

  // A harness may store sessions elsewhere, or not at all.
  ctx.inject(['sessionPersistence'], inner => {
    const root = sessionRoot(inner.sessionPersistence)
    lease.model.catchUp([root]).catch((error: unknown) => {
      inner.logger.warn(`stored sessions were not read: ${error instanceof Error ? error.message : String(error)}`)
    })
  })

  // A turn waits for memory only briefly, so the start of the harness waits instead: its first question finds it ready.
  await Promise.race([lease.model.ready, pause(START_WAIT_MS, undefined, { ref: false })])
}

/** One mount provides the service; a second in the same harness has its tools, under another `toolName`. */
function provideService(ctx: Context, memory: Memory): void {
  if (ctx.get('stablemem') === undefined)
    ctx.plugin({ name: 'stablemem', apply: inner => void new StableMemory(inner, memory) })
}

/** Says once, in the harness's log, what keeps the database from being used, or that it was damaged. Never rejects. */
async function warnOfTrouble(ctx: Context, model: ReadModel): Promise<void> {
  try {
    await model.ready
    for (const trouble of (await model.stats()).trouble) ctx.logger.warn(trouble)
  } catch {
    // It was unloaded meanwhile, or the worker died, which every call says.
  }
}

async function findHeader(ctx: Context, id: string) {
  const live = ctx.sessions.get(SessionId(id))
  if (live !== undefined) return live.header
  const stored = await ctx.get('sessionPersistence')?.list()
  return stored?.find(header => header.id === id)
}

/** The folder above all session logs, asked of the backend by where it would put one. */
function sessionRoot(persistence: SessionPersistence): string {
  const probe: Session['header'] = { version: SESSION_FORMAT_VERSION, id: SessionId('hologram-probe'), createdAt: 0 }
  const path = persistence.locate(probe)?.path
  return path === undefined ? defaultSessionRoot() : dirname(dirname(dirname(path)))
}
