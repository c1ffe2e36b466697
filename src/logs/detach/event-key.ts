import { createHash } from 'node:crypto'
import type { StoredEvent } from '../../events/index.ts'

/**
 * What an event is known by in the journal: its id and what it says, under whichever of our names. Ids are unique, so the
 * content only matters where something went wrong: of two events with one id, or of damaged ones without any, none may be
 * taken from a session because the journal holds the other.
 */
export function eventKey({ type, data }: StoredEvent): string {
  const verb = type.slice(type.indexOf('/') + 1)
  return createHash('sha256')
    .update(JSON.stringify([verb, ordered(data)]))
    .digest('base64')
}

/** The same JSON value with the members of its objects in one order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, ordered(member)])
}
