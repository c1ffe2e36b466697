import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

const EVENT_ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Drawn a page at a time: left to itself, `ulid` asks the system for each of an id's sixteen characters, 60 µs an id. */
const pool = new Uint8Array(4096)
let drawn = pool.length

function random(): number {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  const byte = pool[drawn] ?? 0
  // No byte serves twice.
  pool[drawn++] = 0
  return byte / 256
}

const nextUlid = monotonicFactory(random)

/** A new event id, `evt_` and a ULID. Forks, exports, imports and detached logs keep it, so one event is counted once. */
export function newEventId(): string {
  return `evt_${nextUlid()}`
}

export function isEventId(value: unknown): value is string {
  return typeof value === 'string' && EVENT_ID.test(value)
}
