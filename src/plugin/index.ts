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
import { type EmbeddingProvider, embeddingProvider } from '../embedding/index.ts'
import { reasonOf } from '../events/index.ts'
import { defaultSessionRoot, memoryPaths } from '../logs/index.ts'
import type { ReadModel } from '../readmodels/index.ts'
import { rulesFor } from '../redaction/index.ts'
import { archiveTurns } from './archive/follow.ts'
import { coolTurns } from './cold/index.ts'
import { type Config, unknownSettings } from './config.ts'
import { Backfill } from './embedding/backfill.ts'
import { Embedder } from './embedding/embedder.ts'
import { findCarrier, installSecondLock } from './host/carrier/index.ts'
import { followTurns } from './host/place.ts'
import { registerProjections } from './host/projections.ts'
import { recallBeforeStep } from './injection/pre-step.ts'
import { recallAfterTools } from './injection/tool-output.ts'
import { Memory } from './memory.ts'
import { Namespaces } from './namespace.ts'
import { registerPromptIndex } from './prompt-index.ts'
import { provideService } from './service.ts'
import { leaseReadModel } from './shared.ts'
import { registerSlashCommand } from './slash/memory.ts'
import { memoryTools } from './tools/index.ts'
import { claimTools, coldToolName } from './tools/own.ts'
import { SessionWriter } from './writer.ts'

export { CommandRefusedError } from '../commands/index.ts'
export { Config } from './config.ts'
export type { Committed, MaybePending, Merged, Purged } from './memory.ts'
export type { RecallOptions } from './recall-options.ts'
export { MemoryUnavailableError } from './recorder.ts'
export type { OnBehalf } from './service.ts'
export { StableMemory } from './service.ts'

/** How long a harness that starts waits for memory, in milliseconds. */
const START_WAIT_MS = 2_000
/** Said while memory is empty: later it is too late to be told. */
const FIRST_RUN =
  'memory is on, and sessions hold its events from now on. Before an upgrade of dsh to 0.1.3 or later, run `dsh-hologram detach`: newer hosts refuse to convert sessions with events of any plugin'

/** How long the end of a harness waits for its last turn to be handed over, in milliseconds: a worker may hang. */
const HAND_OVER_MS = 500

export const name = 'hologram'

/** Only what every harness has; what a harness may lack is asked for inside. */
export const inject = ['sessions', 'agents', 'tools', 'systemPrompt', 'sessionProjections']

export async function apply(ctx: Context, config: Config): Promise<void> {
  for (const message of unknownSettings(config)) ctx.logger.error(message)
  // Patterns of a user's own that cannot be used are refused: to leave them out would leave secrets in.
  rulesFor(config.redaction)
  const lease = leaseReadModel({ ...memoryPaths(config), redaction: config.redaction })
  let leave = (): Promise<void> => Promise.resolve()
  // What is still to be handed to the worker goes before its end.
  ctx.effect(() => () => leave().then(() => lease.release()), 'hologram worker')
  void warnOfTrouble(ctx, lease.model)

  const { carrier, rejected } = findCarrier()
  if (carrier === undefined) {
    const reasons = rejected.map(({ strategy, reason }) => `${strategy}: ${reason}`).join('; ')
    ctx.logger.warn(`this host has no safe way for memory events in sessions; they go to the journal only (${reasons})`)
  }
  installSecondLock(ctx)

  const provider = embeddingProvider(config.embed)
  ctx.effect(() => () => provider.close(), 'hologram embedding')
  void warnOfProvider(ctx, provider)

  const memory = new Memory(ctx, {
    model: lease.model,
    embedder: new Embedder(
      provider,
      config.embed.budgetMs,
      trouble => void lease.model.note(trouble).catch(() => undefined),
    ),
    writer: new SessionWriter(ctx, carrier),
    namespaces: new Namespaces(config.namespace, id => findHeader(ctx, id)),
    projections: registerProjections(ctx, ({ key, where, error }) => {
      ctx.logger.warn(`the ${where} of ${key} failed and was contained: ${String(error)}`)
    }),
    placeOf: followTurns(ctx),
    config,
  })

  provideService(ctx, memory)
  claimTools(config.toolName, coldToolName(config))
  for (const tool of memoryTools(memory)) ctx.tools.register(tool)
  registerSlashCommand(ctx, memory)

  leave = () => Promise.race([memory.archiver.handOver(), pause(HAND_OVER_MS)])
  if (config.cold.archive) archiveTurns(ctx, memory.archiver)

  // Outermost, so that what compaction and others decided inside is known.
  ctx.on('agent/pre-step', (step, next) => recallBeforeStep(memory, step, next), { prepend: true })
  recallAfterTools(ctx, memory)

  for (const session of ctx.sessions.list()) void memory.recorder.adopt(session)
  // A throw here would veto the session, and its log is read when its creation has unwound.
  ctx.on('session/created', session => {
    setImmediate(() => void memory.recorder.adopt(session))
  })

  const stopping = new AbortController()
  ctx.effect(() => () => stopping.abort(), 'hologram backfill')
  memory.backfill = new Backfill(ctx, { provider, model: lease.model, recorder: memory.recorder })
  void memory.backfill.run(stopping.signal)

  coolTurns(ctx, { model: lease.model, recorder: memory.recorder, config })

  // A harness may store sessions elsewhere, or not at all.
  ctx.inject(['sessionPersistence'], inner => {
    const root = sessionRoot(inner.sessionPersistence)
    lease.model.catchUp([root]).catch((error: unknown) => {
      inner.logger.warn(`stored sessions were not read: ${reasonOf(error)}`)
    })
  })

  // A turn waits for memory only briefly, so the start of the harness waits instead: its first question finds it ready.
  const clock = await Promise.race([lease.model.ready, pause(START_WAIT_MS, undefined, { ref: false })])
  memory.recorder.observe(clock ?? 0)
  const isEmpty = clock === 0 && (await isSound(lease.model))
  if (isEmpty && carrier !== undefined) ctx.logger.info(FIRST_RUN)
  registerPromptIndex(
    ctx,
    { toolName: config.toolName, coldName: coldToolName(config) },
    () => isEmpty && memory.recorder.isBlank,
  )
}

/** Whether a memory that looks empty is: one that cannot be read looks so too. Never rejects. */
async function isSound(model: ReadModel): Promise<boolean> {
  try {
    return (await model.stats({ deadline: START_WAIT_MS })).trouble.length === 0
  } catch {
    return false
  }
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

/** Says why there are no vectors, where they were asked for; of a local model that shows when it was loaded. Never rejects. */
async function warnOfProvider(ctx: Context, provider: EmbeddingProvider): Promise<void> {
  await provider.ready
  const { problem } = provider
  if (problem === undefined || problem.code === 'no_provider' || problem.code === 'closed') return
  ctx.logger.error(`there are no vectors: ${problem.message} (${problem.code})`)
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
