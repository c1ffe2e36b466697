import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'

/** What newer hosts offer in place of `events`. */
interface NewerSession {
  snapshotEvents?(): readonly SessionEvent[]
  eventAt?(seq: number): SessionEvent | undefined
}

/**
 * Every event of a session. `events` copies the log on the first read after each append, so this belongs at the start
 * of a session's life and nowhere hot; hosts without it have `snapshotEvents()`.
 */
export function eventsOf(session: Session): readonly SessionEvent[] {
  const newer: NewerSession = session as Session & NewerSession
  return session.events ?? newer.snapshotEvents?.() ?? []
}

/** The event at one seq. */
export function eventAt(session: Session, seq: number): SessionEvent | undefined {
  const newer: NewerSession = session as Session & NewerSession
  return newer.eventAt === undefined ? eventsOf(session)[seq] : newer.eventAt(seq)
}

/** The seq at which the latest turn began; 0 when none did. */
export function latestTurnStart(session: Session): number {
  for (let seq = session.seq - 1; seq > 0; seq--) if (eventAt(session, seq)?.type === 'turn/start') return seq
  return 0
}
