import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { eventAt, eventsOf } from '../../../src/plugin/host/session-reader.ts'
import { appendNaively, detached } from './carrier/support.ts'

const EVENTS = [0, 1].map(seq => ({
  type: 'turn/start',
  seq,
  time: 1,
  data: { turn: seq },
})) as unknown as SessionEvent[]

/** A session of a newer host, which cannot be installed here: no `events`, readers instead. */
function newer(readers: object): Session {
  return readers as Session
}

describe('reading a session', () => {
  it('of this host: all events, and one by its seq', () => {
    const session = detached()
    appendNaively(session, 'turn/start', { turn: 1 })
    const event = appendNaively(session, 'turn/end', { turn: 1, reason: { kind: 'completed' } })
    expect(eventsOf(session)).toBe(session.events)
    expect(eventAt(session, 1)).toBe(event)
    expect(eventAt(session, 2)).toBeUndefined()
  })

  it('of a newer host: by its snapshot, and one without a copy of the log', () => {
    const session = newer({ snapshotEvents: () => EVENTS, eventAt: (seq: number) => EVENTS[seq] })
    expect(eventsOf(session)).toEqual(EVENTS)
    expect(eventAt(session, 1)).toBe(EVENTS[1])
    const withoutSnapshot = newer({
      get events() {
        throw new Error('copied')
      },
      eventAt: (seq: number) => EVENTS[seq],
    })
    expect(eventAt(withoutSnapshot, 0)).toBe(EVENTS[0])
  })

  it('of a host that has neither: nothing, and no throw', () => {
    expect(eventsOf(newer({}))).toEqual([])
    expect(eventAt(newer({}), 0)).toBeUndefined()
  })

  it('calls the readers on their session', () => {
    const session = newer({
      kept: EVENTS,
      snapshotEvents(this: { kept: SessionEvent[] }) {
        return this.kept
      },
      eventAt(this: { kept: SessionEvent[] }, seq: number) {
        return this.kept[seq]
      },
    })
    expect(eventsOf(session)).toBe(EVENTS)
    expect(eventAt(session, 1)).toBe(EVENTS[1])
  })
})
