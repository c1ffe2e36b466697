import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findCarrier, type Strategy, strategies } from '../../../../src/plugin/host/carrier/index.ts'
import { markAtBirth } from '../../../../src/plugin/host/carrier/mark-at-birth.ts'
import { disprove } from '../../../../src/plugin/host/carrier/prove.ts'
import { commit } from '../../../events/samples.ts'
import { appendNaively, detached, hosts, withFreeze } from './support.ts'

const boot = hosts()
const freeze = Object.freeze

beforeEach(() => expect(Object.freeze).toBe(freeze))
afterEach(() => expect(Object.freeze).toBe(freeze))

function strategy(append: Strategy['append']): Strategy {
  return { name: 'append-option', append }
}

/** Marks whatever is frozen, until told to stop. */
function markEverything(): () => void {
  Object.freeze = ((target: object) => {
    if ('type' in target) Reflect.set(target, 'ignorable', true)
    return freeze(target)
  }) as typeof Object.freeze
  return () => {
    Object.freeze = freeze
  }
}

describe('the carrier of this host', () => {
  it('is the mark at birth, because append drops the option and there are no plugin records', () => {
    const search = findCarrier()
    expect(search.carrier?.strategy).toBe('mark-at-birth')
    expect(search.rejected).toEqual([{ strategy: 'append-option', reason: 'the event is not marked' }])
    expect(strategies().map(({ name }) => name)).toEqual(['append-option', 'mark-at-birth'])
  })

  it('is found on a detached session in memory, never on one of a user', async () => {
    const host = await boot()
    const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
    const seen = vi.fn()
    for (const name of ['session/event', 'session/created'] as const) host.ctx.on(name, seen)
    const used: Session[] = []
    findCarrier(
      strategies().map(each => ({
        ...each,
        append: (session, verb, payload) => {
          used.push(session)
          return each.append(session, verb, payload)
        },
      })),
    )
    expect(used.length).toBeGreaterThan(0)
    expect(seen).not.toHaveBeenCalled()
    expect(agent.session.events).toEqual([])
    for (const session of used) expect(host.ctx.sessions.get(session.id)).toBeUndefined()
  })

  it('is the first that proves itself, and the search says what spoke against those before it', () => {
    const unmarked = strategy((session, verb, payload) => appendNaively(session, `hologram/${verb}`, payload))
    const never = vi.fn()
    const search = findCarrier([unmarked, markAtBirth, strategy(never)])
    expect(search.carrier?.strategy).toBe('mark-at-birth')
    expect(search.rejected).toHaveLength(1)
    expect(never).not.toHaveBeenCalled()
  })

  it('without one that proves itself there is none, and nothing can be written', () => {
    expect(findCarrier([])).toEqual({ carrier: undefined, rejected: [] })
    const search = findCarrier([
      strategy(() => {
        throw new Error('this host has none')
      }),
    ])
    expect(search).toEqual({
      carrier: undefined,
      rejected: [{ strategy: 'append-option', reason: 'this host has none' }],
    })
  })

  it('that marks in the proof and no longer later, says so instead of passing it over', () => {
    let calls = 0
    const tired = strategy((session, verb, payload) => {
      calls += 1
      return calls === 1
        ? markAtBirth.append(session, verb, payload)
        : appendNaively(session, `hologram/${verb}`, payload)
    })
    const { carrier } = findCarrier([tired])
    expect(() => carrier?.append(detached(), 'commit', commit())).toThrow('unmarked')
  })
})

describe('a strategy is disproved', () => {
  it.each<readonly [string, Strategy['append'], RegExp]>([
    ['does not mark', (s, verb, data) => appendNaively(s, `hologram/${verb}`, data), /not marked/],
    [
      'marks the events of others too',
      (s, verb, data) => {
        const original = s.append
        const event = markAtBirth.append(s, verb, data)
        Reflect.set(s, 'append', (...args: Parameters<typeof original>) => {
          const stop = markEverything()
          try {
            return Reflect.apply(original, s, args)
          } finally {
            stop()
          }
        })
        return event
      },
      /not ours/,
    ],
    [
      'leaves Object.freeze patched',
      (s, verb, data) => {
        markEverything()
        return appendNaively(s, `hologram/${verb}`, data)
      },
      /Object\.freeze/,
    ],
    [
      'throws with Object.freeze patched',
      () => {
        markEverything()
        throw new Error('half way')
      },
      /half way/,
    ],
    ['returns another event', (s, verb, data) => ({ ...markAtBirth.append(s, verb, data) }), /not the one in the log/],
    [
      'appends nothing',
      () => ({ type: 'hologram/space', ignorable: true }) as unknown as SessionEvent,
      /not the one in the log/,
    ],
    [
      'writes under a name we do not read',
      (s, _, data) => {
        const stop = markEverything()
        try {
          return appendNaively(s, 'memory/space', data)
        } finally {
          stop()
        }
      },
      /named memory\/space/,
    ],
    ['changes the payload', (s, verb) => markAtBirth.append(s, verb, { probe: true }), /payload/],
    [
      'leaves the event open to changes',
      (s, verb, data) =>
        withFreeze({ writable: true, value: (target: object) => target }, () => {
          const event = appendNaively(s, `hologram/${verb}`, data)
          Reflect.set(event, 'ignorable', true)
          return event
        }),
      /not frozen/,
    ],
    [
      'sets a mark that storage does not carry',
      (s, verb, data) => {
        const hide = (target: object) => {
          if ('seq' in target) Object.defineProperty(target, 'ignorable', { value: true })
          return freeze(target)
        }
        return withFreeze({ writable: true, value: hide }, () => appendNaively(s, `hologram/${verb}`, data))
      },
      /does not survive storage/,
    ],
    [
      'throws what is no error',
      () => {
        throw null
      },
      /null/,
    ],
  ])('that %s', (_, append, reason) => {
    expect(disprove(strategy(append))).toMatch(reason)
  })

  it('and what it left in Object.freeze is undone', () => {
    const left = strategy(session => {
      markEverything()
      return appendNaively(session, 'hologram/space', {})
    })
    expect(findCarrier([left]).carrier).toBeUndefined()
    expect(Object.freeze).toBe(freeze)
  })
})
