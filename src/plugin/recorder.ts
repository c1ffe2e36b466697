import { setImmediate as breathe } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import type { Stamp } from '../commands/index.ts'
import {
  eventName,
  isOurs,
  LamportClock,
  type Namespace,
  newEventId,
  type PayloadOf,
  readEvent,
  reasonOf,
  type StoredEvent,
  type Verb,
} from '../events/index.ts'
import type { Ack, ReadModel } from '../readmodels/index.ts'
import type { TurnPlace } from './host/place.ts'
import type { Projections } from './host/projections.ts'
import { eventsOf } from './host/session-reader.ts'
import type { Namespaces } from './namespace.ts'
import { within } from './within.ts'
import type { SessionWriter } from './writer.ts'

/** The memory could not be written or read now. The message says what is safe and what to do. */
export class MemoryUnavailableError extends Error {
  override readonly name = 'MemoryUnavailableError'
  readonly code = 'unavailable'
}

/** How long an event waits for its acknowledgement, in milliseconds. */
const ACK_DEADLINE_MS = 10_000
/** How long an event waits for the clock of what others stored, in milliseconds. */
const CLOCK_DEADLINE_MS = 3_000
/** How long an event waits for its namespace to be found, in milliseconds. */
const NAMESPACE_DEADLINE_MS = 10_000
/** Of a session, what is handed to the worker in one message: events, and characters in them. */
const ADOPT_EVENTS = 200
const ADOPT_CHARACTERS = 1 << 20

export interface RecorderParts {
  readonly model: ReadModel
  readonly writer: SessionWriter
  readonly namespaces: Namespaces
  readonly projections: Projections
  readonly placeOf: (session: Session) => TurnPlace
}

/** Turns decisions into events: stamps them, puts them into their session, and has them journaled and folded. */
export class Recorder {
  private readonly ctx: Context
  private readonly parts: RecorderParts
  private readonly clock = new LamportClock()
  /** Ids of events that are about to be appended here. */
  private readonly own = new Set<unknown>()
  /** Sessions whose earlier events the clock has heard of. */
  private readonly heard = new WeakSet<Session>()

  constructor(ctx: Context, parts: RecorderParts) {
    this.ctx = ctx
    this.parts = parts
    // Another mount in this process has a clock of its own.
    ctx.on('session/event', (_session, event) => {
      if (!isOurs(event.type)) return
      this.clock.observe(member(event.data, 'clock'))
      if (this.own.has(member(event.data, 'id'))) return
      // Somebody else's: another mount's, which folds it itself, or one that only this session tells of.
      const { type, data, seq } = event
      setImmediate(() => {
        void this.parts.model
          .fold([{ type, data, seq }])
          .catch((error: unknown) => this.warn('an event of another will be read at the next start', error))
      })
    })
  }

  /**
   * Resolves when the event is acknowledged. Throws `MemoryUnavailableError` when it could not be. A signal ends the
   * waiting, not the act: the event is written at once, and whoever reads the log finds it.
   */
  async record<V extends Verb>(
    session: Session | undefined,
    verb: V,
    make: (stamp: Stamp) => PayloadOf<V>,
    signal?: AbortSignal,
  ): Promise<Ack> {
    await this.hearOfTheClock(signal)
    const acknowledging = this.acknowledged(await this.write(session, verb, make))
    try {
      return await within(undefined, acknowledging, signal)
    } catch (error) {
      if (!signal?.aborted) throw error
      acknowledging.catch((reason: unknown) => this.warn(`a ${verb} was not acknowledged`, reason))
      return { status: 'pending', created: false }
    }
  }

  /**
   * Puts the event into its session and does not wait for its acknowledgement, nor for the clock: it records what was
   * just read, whose clock is known. Never rejects.
   */
  async leave<V extends Verb>(
    session: Session | undefined,
    verb: V,
    make: (stamp: Stamp) => PayloadOf<V>,
  ): Promise<void> {
    try {
      const event = await this.write(session, verb, make)
      void this.acknowledged(event).catch((error: unknown) => this.warn(`a ${verb} was not recorded`, error))
    } catch (error) {
      this.warn(`a ${verb} was not recorded`, error)
    }
  }

  /** Records events of no session, in one write. Throws `MemoryUnavailableError` when they could not be acknowledged. */
  async journal<V extends Verb>(
    verb: V,
    acts: readonly { readonly ns: Namespace; make(stamp: Stamp): PayloadOf<V> }[],
  ): Promise<void> {
    await this.hearOfTheClock()
    const events = acts.map(({ ns, make }) => {
      const stamp = { id: newEventId(), clock: this.clock.tick(), ns, at: { time: Date.now() } }
      return { type: eventName(verb), data: this.valid(verb, make(stamp)) }
    })
    await this.acknowledgedAll(events)
  }

  /** Whether there was no event yet, of anybody, as far as is known here. */
  get isBlank(): boolean {
    return this.clock.value === 0
  }

  /** Takes note of the clock of something that was read: what is written next comes after it. */
  observe(clock: number): void {
    this.clock.observe(clock)
  }

  /**
   * Hands the events that a session holds from before we saw it to the worker, piece by piece: each is copied in one go,
   * and a session may hold a hundred thousand. Resolves when all were handed over. Never rejects.
   */
  async adopt(session: Session): Promise<void> {
    try {
      for (const events of slices(eventsOf(session))) {
        void this.parts.model
          .fold(events)
          .then(({ clock }) => this.clock.observe(clock))
          .catch((error: unknown) =>
            this.warn(`events of session "${session.id}" will be read at the next start`, error),
          )
        await breathe()
      }
    } catch (error) {
      this.warn('a session could not be read', error)
    }
  }

  private async write<V extends Verb>(
    session: Session | undefined,
    verb: V,
    make: (stamp: Stamp) => PayloadOf<V>,
  ): Promise<StoredEvent> {
    const { namespaces, projections, placeOf, writer } = this.parts
    const ns = await within(NAMESPACE_DEADLINE_MS, namespaces.of(session))
    const made: string[] = []
    try {
      return await writer.write(session, verb, () => {
        // A tick is taken when the event is appended, so that clocks rise strictly within a session.
        if (session !== undefined && !this.heard.has(session)) {
          this.clock.observe(projections.blocks(session).clock)
          this.heard.add(session)
        }
        const place = session === undefined ? {} : { session: session.id, ...placeOf(session) }
        const stamp = { id: newEventId(), clock: this.clock.tick(), ns, at: { ...place, time: Date.now() } }
        made.push(stamp.id)
        this.own.add(stamp.id)
        return this.valid(verb, make(stamp))
      })
    } finally {
      for (const id of made) this.own.delete(id)
    }
  }

  /** An event must come after everything its maker could have seen, what other processes wrote included. */
  private async hearOfTheClock(signal?: AbortSignal): Promise<void> {
    try {
      this.clock.observe(await this.parts.model.clock({ deadline: CLOCK_DEADLINE_MS, ...(signal && { signal }) }))
    } catch {
      // Without the worker nothing of the others can be seen either; the event goes on with what is known here.
    }
  }

  /** What no reader would accept must not enter a log for good. */
  private valid<V extends Verb>(verb: V, payload: PayloadOf<V>): PayloadOf<V> {
    const read = readEvent(eventName(verb), payload)
    if (read.kind === 'event') return payload
    throw new Error(`the event would not be valid: ${read.kind === 'skipped' ? read.detail : verb}`)
  }

  private async acknowledged(event: StoredEvent): Promise<Ack> {
    const [ack] = await this.acknowledgedAll([event])
    if (ack === undefined) throw new MemoryUnavailableError('memory was not written: the worker said nothing of it')
    return ack
  }

  private async acknowledgedAll(events: readonly StoredEvent[]): Promise<readonly Ack[]> {
    const logged = events.every(({ seq }) => seq !== undefined)
    const safe = logged ? '; it is in the session log and will be taken up at the next start' : ''
    try {
      const { acks, clock } = await this.parts.model.fold(events, { deadline: ACK_DEADLINE_MS })
      this.clock.observe(clock)
      if (acks.length < events.length) throw new Error('the worker said nothing of it')
      const skipped = acks.find(({ status }) => status === 'skipped')
      if (skipped !== undefined) throw new Error(`the event was not valid: ${skipped.reason}`)
      return acks
    } catch (error) {
      const reason = reasonOf(error)
      throw new MemoryUnavailableError(`memory was not written: ${reason}${safe}`, { cause: error })
    }
  }

  private warn(what: string, error: unknown): void {
    this.ctx.logger.warn(`${what}: ${reasonOf(error)}`)
  }
}

/** Our events among those of a session, so many at a time as are copied without holding the host's thread. */
function* slices(events: readonly SessionEvent[]): Generator<StoredEvent[]> {
  let slice: StoredEvent[] = []
  let characters = 0
  for (const { type, data, seq } of events) {
    if (!isOurs(type)) continue
    slice.push({ type, data, seq })
    characters += charactersOf(data)
    if (slice.length < ADOPT_EVENTS && characters < ADOPT_CHARACTERS) continue
    yield slice
    slice = []
    characters = 0
  }
  if (slice.length > 0) yield slice
}

/** How much text a payload holds: its own, and that of its vector. */
function charactersOf(payload: unknown): number {
  const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  return lengthOf(member(payload, 'text')) + lengthOf(member(member(payload, 'vector'), 'data'))
}

function member(payload: unknown, name: string): unknown {
  return typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined
}
