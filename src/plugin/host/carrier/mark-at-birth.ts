import { eventName } from '../../../events/index.ts'
import type { OpenAppend, Strategy } from './carrier.ts'

/**
 * Marks the event while the host creates it. `append` builds the envelope, freezes it and only then publishes it, all
 * in one synchronous call, and it takes no option that would mark it. For the length of that call we stand in for
 * `Object.freeze`: at the first argument that is this very envelope the original is put back, the mark is set, and the
 * freeze goes on. A global is touched for microseconds; it is done because these hosts offer no other way that keeps
 * the live, the published, the stored and the forked event one and the same.
 */
export const markAtBirth: Strategy = {
  name: 'mark-at-birth',
  append(session, verb, payload) {
    const type = eventName(verb)
    // Plain data only: a getter in the payload could freeze a look-alike of the envelope and take the mark.
    const data: unknown = JSON.parse(JSON.stringify(payload))
    const { seq } = session
    const original = Object.freeze
    const standIn = (target: unknown): unknown => {
      if (isEnvelope(target, type, seq)) {
        restore()
        target.ignorable = true
      }
      return Reflect.apply(original, Object, [target])
    }
    // Only our own stand-in is undone: a listener may have put its own patch on top meanwhile.
    const restore = () => {
      if (Object.freeze === standIn) Object.freeze = original
    }
    Object.freeze = standIn as typeof Object.freeze
    try {
      return (session as unknown as OpenAppend).append(type, data)
    } finally {
      restore()
    }
  },
}

function isEnvelope(target: unknown, type: string, seq: number): target is { ignorable?: true } {
  if (typeof target !== 'object' || target === null) return false
  const own = (key: string): unknown => Object.getOwnPropertyDescriptor(target, key)?.value
  return own('type') === type && own('seq') === seq && own('time') !== undefined && own('data') !== undefined
}
