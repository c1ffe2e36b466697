import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import { type CommitInput, decideCommit, type RecallRecord, recallEvent, type Stamp } from '../commands/index.ts'
import { isOurs, LamportClock, newEventId, type Origin, type StoredEvent } from '../events/index.ts'
import { saidBlocks } from '../projections/index.ts'
import type { CallOptions, ReadModel, RecallAnswer, Scope, Stats } from '../readmodels/index.ts'
import type { Config } from './config.ts'
import type { TurnPlace } from './host/place.ts'
import type { Projections } from './host/projections.ts'
import { eventsOf } from './host/session-reader.ts'
import type { Namespaces } from './namespace.ts'
import type { SessionWriter } from './writer.ts'

export interface Committed {
  /** Id of the block. */
  readonly id: string
  /** Whether its namespace did not have it before. */
  readonly created: boolean
  /** Present when the database could not be written yet: the memory is safe and will be found later. */
  readonly pending?: true
}

/** What a recall may ask for; settings fill in the rest. */
export interface RecallOptions extends CallOptions {
  readonly topK?: number
  readonly offset?: number
  readonly scope?: Scope
  readonly floor?: number
  readonly history?: boolean
}

/** The memory could not be written or read now. The message says what is safe and what to do. */
export class MemoryUnavailableError extends Error {
  override readonly name = 'MemoryUnavailableError'
  readonly code = 'unavailable'
}

/** How long a commit waits for its acknowledgement, in milliseconds. */
const COMMIT_DEADLINE_MS = 10_000
/** How long the first event waits for the clock of what was stored before, in milliseconds. */
const READY_DEADLINE_MS = 3_000
/** Events of a session that are handed to the worker in one message. */
const ADOPT_AT_ONCE = 500

export interface MemoryParts {
  readonly model: ReadModel
  readonly writer: SessionWriter
  readonly namespaces: Namespaces
  readonly projections: Projections
  readonly placeOf: (session: Session) => TurnPlace
  readonly config: Config
}

/** The memory of one mount: commits, recalls, and the events they leave. */
export class Memory {
  readonly ctx: Context
  readonly parts: MemoryParts
  private readonly clock = new LamportClock()

  constructor(ctx: Context, parts: MemoryParts) {
    this.ctx = ctx
    this.parts = parts
  }

  /**
   * Remembers a text. Resolves when its event is journaled and folded. Throws `CommandRefusedError` for bad input, with
   * nothing written, and `MemoryUnavailableError` when it could not be acknowledged.
   */
  async commit(
    input: CommitInput,
    who: { readonly session?: Session | undefined; readonly origin: Origin },
  ): Promise<Committed> {
    const { session, origin } = who
    const draft = decideCommit(input, origin, this.parts.config)
    const stamp = await this.stamper(session)
    const event = await this.parts.writer.write(session, 'commit', () => draft.stamp(stamp()))
    const ack = await this.fold(event)
    if (ack === undefined) throw new MemoryUnavailableError('the memory worker did not answer')
    return { id: draft.block, created: ack.created, ...(ack.status === 'pending' ? { pending: true } : {}) }
  }

  /** What memory holds about a question. Never rejects for a lack of hits; rejects when the read model cannot answer. */
  async recall(query: string, session: Session | undefined, options: RecallOptions = {}): Promise<RecallAnswer> {
    const { model, namespaces, config } = this.parts
    const {
      topK = config.topK,
      scope = config.recall.scope,
      floor = config.recall.floor,
      offset,
      history,
      signal,
      deadline,
    } = options
    const namespace = await namespaces.of(session)
    const within = scope === 'session' ? this.saidIn(session) : undefined
    return model.recall(
      {
        query,
        scope,
        namespace: namespace.id,
        topK,
        floor,
        ...(within === undefined ? {} : { within }),
        ...(offset === undefined ? {} : { offset }),
        ...(history === undefined ? {} : { history }),
      },
      { ...(signal === undefined ? {} : { signal }), ...(deadline === undefined ? {} : { deadline }) },
    )
  }

  /** Leaves the event of a recall that was shown, without waiting for it to be folded. Never rejects. */
  async recordRecall(record: RecallRecord, session: Session): Promise<void> {
    try {
      const stamp = await this.stamper(session)
      const event = await this.parts.writer.write(session, 'recall', () => recallEvent(record, stamp()))
      void this.fold(event).catch(error => this.warn('a recall was not recorded', error))
    } catch (error) {
      this.warn('a recall was not recorded', error)
    }
  }

  /** Hands the events that a session holds from before we saw it to the worker. Never throws. */
  adopt(session: Session): void {
    try {
      const events = eventsOf(session).flatMap(({ type, data, seq }) => (isOurs(type) ? [{ type, data, seq }] : []))
      for (let from = 0; from < events.length; from += ADOPT_AT_ONCE) {
        void this.parts.model
          .fold(events.slice(from, from + ADOPT_AT_ONCE))
          .then(({ clock }) => this.clock.observe(clock))
          .catch(error => this.warn(`events of session "${session.id}" will be read at the next start`, error))
      }
    } catch (error) {
      this.warn('a session could not be read', error)
    }
  }

  stats(options?: CallOptions): Promise<Stats> {
    return this.parts.model.stats(options)
  }

  /** Blocks the session has said, its inherited beginning included. */
  private saidIn(session: Session | undefined): string[] {
    return session === undefined ? [] : saidBlocks(this.parts.projections.blocks(session))
  }

  /** Makes stamps for a session's events. Each stamp is one tick of the clock, so it is taken when the event is appended. */
  private async stamper(session: Session | undefined): Promise<() => Stamp> {
    const { model, namespaces, projections, placeOf } = this.parts
    const ns = await namespaces.of(session)
    const timeout = new Promise<number>(resolve => setTimeout(resolve, READY_DEADLINE_MS, 0).unref())
    this.clock.observe(await Promise.race([model.ready, timeout]))
    return () => {
      if (session !== undefined) this.clock.observe(projections.blocks(session).clock)
      return {
        id: newEventId(),
        clock: this.clock.tick(),
        ns,
        at: { ...(session === undefined ? {} : { session: session.id, ...placeOf(session) }), time: Date.now() },
      }
    }
  }

  private async fold(event: StoredEvent) {
    const safe = event.seq === undefined ? '' : '; it is in the session log and will be taken up at the next start'
    try {
      const { acks, clock } = await this.parts.model.fold([event], { deadline: COMMIT_DEADLINE_MS })
      this.clock.observe(clock)
      const [ack] = acks
      if (ack?.status === 'skipped') throw new Error(`the event was not valid: ${ack.reason}`)
      return ack
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new MemoryUnavailableError(`memory was not written: ${reason}${safe}`, { cause: error })
    }
  }

  private warn(what: string, error: unknown): void {
    this.ctx.logger.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
