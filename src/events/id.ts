import { monotonicFactory } from 'ulid'

const nextUlid = monotonicFactory()
const EVENT_ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** A new event id, `evt_` and a ULID. Forks, exports, imports and detached logs keep it, so one event is counted once. */
export function newEventId(): string {
  return `evt_${nextUlid()}`
}

export function isEventId(value: unknown): value is string {
  return typeof value === 'string' && EVENT_ID.test(value)
}
