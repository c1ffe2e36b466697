import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import type { PayloadOf, Verb } from '../../../events/index.ts'

/**
 * A way to put one of our events into a session so that a host without us still opens it: the event is marked
 * `ignorable` from birth, and what is live, published, stored and forked is the same event.
 */
export interface Strategy {
  readonly name: 'plugin-record' | 'append-option' | 'mark-at-birth'
  /** Appends synchronously and returns the logged event. Throws, with the log unchanged, when the host refuses. */
  append(session: Session, verb: Verb, payload: unknown): SessionEvent
}

/** A strategy that has proved itself on a scratch session. */
export interface Carrier {
  readonly strategy: Strategy['name']
  append<V extends Verb>(session: Session, verb: V, payload: PayloadOf<V>): SessionEvent
}

/** The part of `Session.append` that strategies use: any type, and the options of hosts that take them. */
export interface OpenAppend {
  append(type: string, data: unknown, options?: { readonly ignorable: true }): SessionEvent
}
