import { setImmediate as unwound } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import { eventName, type PayloadOf, reasonOf, type StoredEvent, type Verb } from '../events/index.ts'
import type { Carrier } from './host/carrier/index.ts'

/**
 * Puts events into the session they belong to, where the host allows it. What is returned goes to the journal whether
 * or not the session took it, so nothing is lost either way.
 */
export class SessionWriter {
  private readonly ctx: Context
  private readonly carrier: Carrier | undefined

  constructor(ctx: Context, carrier: Carrier | undefined) {
    this.ctx = ctx
    this.carrier = carrier
  }

  /** Whether the host has a safe way for our events into sessions. */
  get reachesSessions(): boolean {
    return this.carrier !== undefined
  }

  /**
   * Makes the event and appends it in one synchronous go, so that clocks rise strictly within a session. An append that
   * is refused, as every append inside the publication of another is, is tried once more when that has unwound.
   */
  async write<V extends Verb>(session: Session | undefined, verb: V, make: () => PayloadOf<V>): Promise<StoredEvent> {
    try {
      return this.append(session, verb, make())
    } catch {
      await unwound()
    }
    const payload = make()
    try {
      return this.append(session, verb, payload)
    } catch (error) {
      const reason = reasonOf(error)
      this.ctx.logger.warn(
        `session "${session?.id}" did not take ${eventName(verb)}; it is in the journal only: ${reason}`,
      )
      return { type: eventName(verb), data: payload }
    }
  }

  private append<V extends Verb>(session: Session | undefined, verb: V, payload: PayloadOf<V>): StoredEvent {
    const live = session !== undefined && this.ctx.sessions.get(session.id) === session
    if (!live || this.carrier === undefined) return { type: eventName(verb), data: payload }
    const { type, data, seq } = this.carrier.append(session, verb, payload)
    return { type, data, seq }
  }
}
