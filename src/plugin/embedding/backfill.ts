import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import type { EmbeddingProvider, Space } from '../../embedding/index.ts'
import { canonicalText, EMBED_VERSION, encodeVector, isBlockId, type Namespace } from '../../events/index.ts'
import type { MissingVector, ReadModel } from '../../readmodels/index.ts'
import type { Recorder } from '../recorder.ts'

/** Texts of one request, and the pause between two, so that a service is not flooded. */
const AT_ONCE = 32
const BETWEEN_MS = 200
/** How long the job rests when it has nothing to do, or the service is down, in milliseconds. */
const REST_MS = 30_000

/**
 * Brings the vectors that commits could not wait for, and those of a new space: whatever is shown and has no vector in
 * the space that is written in. What is to be done follows from the database alone, so nothing is lost by a restart.
 */
export class Backfill {
  private readonly ctx: Context
  private readonly provider: EmbeddingProvider
  private readonly model: ReadModel
  private readonly recorder: Recorder
  /** Blocks whose text the service refused; they are not asked for again while this process lives. */
  private readonly refused = new Set<string>()

  constructor(ctx: Context, parts: { provider: EmbeddingProvider; model: ReadModel; recorder: Recorder }) {
    this.ctx = ctx
    this.provider = parts.provider
    this.model = parts.model
    this.recorder = parts.recorder
  }

  /** Works until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await this.provider.ready
    while (!signal.aborted && this.provider.space !== undefined) {
      try {
        await this.fill(this.provider.space, signal)
      } catch (error) {
        if (!signal.aborted)
          this.ctx.logger.warn(`vectors are still missing: ${error instanceof Error ? error.message : String(error)}`)
      }
      await pause(REST_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** One pass over what is missing. Ends early when the service is down. */
  private async fill(space: Space, signal: AbortSignal): Promise<void> {
    for (let after = 0; !signal.aborted && this.provider.breaker === 'closed'; ) {
      const missing = await this.model.missing({ space: space.fingerprint, limit: AT_ONCE, after })
      const last = missing.at(-1)
      if (last === undefined) return
      after = last.row
      const wanted = missing.filter(({ namespace, id }) => !this.refused.has(`${namespace} ${id}`))
      if (wanted.length > 0 && !(await this.embed(space, wanted, signal))) return
      await pause(BETWEEN_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Returns false when going on makes no sense now. */
  private async embed(space: Space, missing: readonly MissingVector[], signal: AbortSignal): Promise<boolean> {
    const results = await this.provider.embed(
      missing.map(({ text }) => canonicalText(text)),
      { side: 'document', signal },
    )
    for (const [at, { namespace, label, id }] of missing.entries()) {
      const result = results[at]
      if (result?.ok && isBlockId(id)) {
        const ns: Namespace = { id: namespace, label }
        const data = encodeVector(result.vector)
        await this.recorder.journal(ns, 'embed', stamp => ({
          v: EMBED_VERSION,
          ...stamp,
          target: { kind: 'block', id },
          space,
          data,
        }))
      } else if (result !== undefined && !result.ok && isLasting(result.error.status, result.error.code)) {
        this.refused.add(`${namespace} ${id}`)
      }
    }
    return results.some(result => result.ok) || this.provider.breaker === 'closed'
  }
}

/** Whether asking again with the same text is pointless. */
function isLasting(status: number | undefined, code: string): boolean {
  return code === 'empty_text' || status === 400 || status === 413 || status === 422
}
