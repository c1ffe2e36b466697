import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { Session, SessionId } from '@deepseek-ai/dsh-session'
import { reasonOf, verbOf } from '../../../events/index.ts'
import { eventsOf } from '../session-reader.ts'
import type { Strategy } from './carrier.ts'

/**
 * Tries a strategy on a detached session in memory, never on a user's. Returns what is wrong, or `undefined` when the
 * event came out marked, frozen and alone in being marked, and a log that holds it is accepted as the seed of another.
 */
export function disprove(strategy: Strategy): string | undefined {
  const freeze = Object.freeze
  try {
    const scratch = Session.create(SessionId('hologram-scratch'))
    const probe = { probe: true, nested: { list: [1, 'two', null] } }
    const event = strategy.append(scratch, 'space', probe)
    if (Object.freeze !== freeze) return 'it left Object.freeze replaced'
    const logged = eventsOf(scratch).at(-1)
    if (logged !== event) return 'the event it returned is not the one in the log'
    if (event.ignorable !== true) return 'the event is not marked'
    if (verbOf(event.type) !== 'space') return `the event is named ${event.type}`
    if (!isDeepFrozen(event)) return 'the event is not frozen'
    if (JSON.stringify(event.data) !== JSON.stringify(probe)) return 'the payload was changed'
    const next = scratch.append('turn/start', { turn: 1 })
    if (next.ignorable !== undefined) return 'it marks events that are not ours'
    const seed = JSON.parse(JSON.stringify(eventsOf(scratch))) as SessionEvent[]
    const forked = eventsOf(Session.create(SessionId('hologram-scratch-fork'), seed))[event.seq]
    // A mark that JSON does not carry would be missing from the disk.
    if (forked?.ignorable !== true) return 'the mark does not survive storage'
    if (JSON.stringify(forked) !== JSON.stringify(event)) return 'a fork holds another event'
    return undefined
  } catch (error) {
    return reasonOf(error)
  } finally {
    if (Object.freeze !== freeze) restoreFreeze(freeze)
  }
}

function restoreFreeze(freeze: typeof Object.freeze): void {
  try {
    Object.freeze = freeze
  } catch {
    // Somebody made it read-only; then it was never ours to replace.
  }
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
