import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import type { EmbeddingProvider, Space } from '../../embedding/index.ts'
import { EMBED_VERSION, reasonOf } from '../../events/index.ts'
import { type BringTally, bringVectors, type ReadModel, TEXTS_PER_SECOND } from '../../readmodels/index.ts'
import type { Recorder } from '../recorder.ts'

/** How long the job rests when it has nothing to do, or the service is down, in milliseconds. */
const REST_MS = 30_000

/** What the job did since this process began, for `status`. */
export interface BackfillState extends BringTally {
  /** Why the last pass ended early, in words; empty when it did not. */
  readonly trouble: string
}

/**
 * Brings the vectors that commits could not wait for, and those of a new space: whatever is shown and has no vector in
 * the space that is written in. What is to be done follows from the database alone, so nothing is lost by a restart.
 */
export class Backfill {
  private readonly ctx: Context
  private readonly provider: EmbeddingProvider
  private readonly model: ReadModel
  private readonly recorder: Recorder
  private readonly holder = randomUUID()
  private readonly refused = new Set<string>()
  private total: BackfillState = { brought: 0, failed: 0, reasons: {}, trouble: '' }

  constructor(ctx: Context, parts: { provider: EmbeddingProvider; model: ReadModel; recorder: Recorder }) {
    this.ctx = ctx
    this.provider = parts.provider
    this.model = parts.model
    this.recorder = parts.recorder
  }

  get state(): BackfillState {
    return this.total
  }

  /** Works until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await this.provider.ready
    while (!signal.aborted && this.provider.space !== undefined) {
      const trouble = await this.pass(this.provider.space, signal)
      // The same trouble at every pass is told once.
      if (trouble !== '' && trouble !== this.total.trouble)
        this.ctx.logger.warn(`vectors are still missing: ${trouble}`)
      this.total = { ...this.total, trouble }
      await pause(REST_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** One pass over what is missing. Returns what kept it from its end, in words. */
  private async pass(space: Space, signal: AbortSignal): Promise<string> {
    try {
      const { end, ...tally } = await bringVectors({
        space,
        provider: this.provider,
        missing: request => this.model.missing(request),
        lease: request => this.model.lease(request),
        write: vectors =>
          this.recorder.journal(
            'embed',
            vectors.map(({ ns, target, data }) => ({
              ns,
              make: stamp => ({ v: EMBED_VERSION, ...stamp, target, space, data }),
            })),
          ),
        holder: this.holder,
        refused: this.refused,
        perSecond: TEXTS_PER_SECOND,
        signal,
        stays: false,
      })
      this.total = { ...added(this.total, tally), trouble: this.total.trouble }
      if (end === 'down') return 'the embedding service fails'
      const codes = Object.keys(tally.reasons).sort()
      return codes.length === 0 ? '' : `texts were refused or failed (${codes.join(', ')})`
    } catch (error) {
      return signal.aborted ? '' : reasonOf(error)
    }
  }
}

function added(a: BringTally, b: BringTally): BringTally {
  const reasons = { ...a.reasons }
  for (const [code, count] of Object.entries(b.reasons)) reasons[code] = (reasons[code] ?? 0) + count
  return { brought: a.brought + b.brought, failed: a.failed + b.failed, reasons }
}
