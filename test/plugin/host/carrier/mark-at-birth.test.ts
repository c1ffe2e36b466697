/** Attacks on the moment in which `Object.freeze` is not the host's own. */
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CommitEvent } from '../../../../src/events/index.ts'
import { findCarrier } from '../../../../src/plugin/host/carrier/index.ts'
import { markAtBirth } from '../../../../src/plugin/host/carrier/mark-at-birth.ts'
import { commit } from '../../../events/samples.ts'
import { appendNaively, detached, hosts, lock, provenCarrier, withFreeze } from './support.ts'

const boot = hosts()
const carrier = provenCarrier()
const freeze = Object.freeze

afterEach(() => {
  const after = Object.freeze
  Object.freeze = freeze
  expect(after).toBe(freeze)
})

/** An object that looks like the envelope of the next event of ours. */
function lookAlike(seq: number): { ignorable?: true } {
  return { type: 'hologram/commit', seq, time: 1, data: {} } as { ignorable?: true }
}

describe('the mark', () => {
  it('is on the event and on nothing else', () => {
    const session = detached()
    const before = appendNaively(session, 'turn/start', { turn: 1 })
    const event = carrier.append(session, 'commit', commit())
    const after = appendNaively(session, 'turn/end', { turn: 1, reason: { kind: 'completed' } })
    expect(event).toEqual({
      type: 'hologram/commit',
      seq: 1,
      time: expect.any(Number),
      data: commit(),
      ignorable: true,
    })
    for (const other of [before, after]) expect(other).not.toHaveProperty('ignorable')
    expect(event.data).not.toHaveProperty('ignorable')
    expect(Object.isFrozen(event) && Object.isFrozen(event.data)).toBe(true)
  })

  it('leaves the payload of the caller alone', () => {
    const payload = commit()
    const event = carrier.append(detached(), 'commit', payload)
    expect(Object.isFrozen(payload)).toBe(false)
    payload.text = 'changed afterwards'
    expect(event.data).toEqual(commit())
  })

  it('is set when something of the same type and seq was frozen outside of the append', () => {
    const session = detached()
    const twin = Object.freeze(lookAlike(session.seq))
    expect(carrier.append(session, 'commit', commit()).ignorable).toBe(true)
    expect(twin).not.toHaveProperty('ignorable')
    expect(Object.freeze(lookAlike(session.seq))).not.toHaveProperty('ignorable')
  })
})

describe('a look-alike cannot take the mark', () => {
  it.each(['get', 'toJSON'] as const)('when the payload freezes one as it is read (%s)', how => {
    const session = detached()
    const twin = lookAlike(session.seq)
    const payload = commit()
    const attack = () => {
      Object.freeze(twin)
      return 'a text'
    }
    if (how === 'get') Object.defineProperty(payload, 'text', { enumerable: true, get: attack })
    else Reflect.set(payload, 'text', { toJSON: attack })
    const event = carrier.append(session, 'commit', payload)
    expect(Object.isFrozen(twin)).toBe(true)
    expect(twin).not.toHaveProperty('ignorable')
    expect(event).toMatchObject({ ignorable: true, data: { text: 'a text' } })
  })

  it('when the payload is one', () => {
    const session = detached()
    const event = markAtBirth.append(session, 'commit', { ...lookAlike(session.seq), inner: lookAlike(session.seq) })
    expect(event.ignorable).toBe(true)
    expect(JSON.stringify(event.data)).not.toContain('ignorable')
  })
})

describe('what is frozen within the append beside the envelope, as a clock that somebody replaced may do,', () => {
  const appendWhileFreezing = (session: Session, other: object): SessionEvent => {
    vi.spyOn(Date, 'now').mockImplementation(() => {
      Object.freeze(other)
      return 1
    })
    try {
      return markAtBirth.append(session, 'commit', commit())
    } finally {
      vi.restoreAllMocks()
    }
  }

  it.each([
    ['of another type', { type: 'other/plugin' }],
    ['of another seq', { seq: 7 }],
    ['without a time', { time: undefined }],
    ['without data', { data: undefined }],
  ])('is not marked when it is an envelope %s', (_, difference) => {
    const session = detached()
    const other = { ...lookAlike(session.seq), ...difference }
    expect(appendWhileFreezing(session, other).ignorable).toBe(true)
    expect(other).not.toHaveProperty('ignorable')
    expect(Object.isFrozen(other)).toBe(true)
  })

  it('and cannot be told from it, takes the mark; then the lock refuses the event, and the log is unchanged', async () => {
    const host = await boot({ persistence: false })
    await host.mount(lock)
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    expect(() => appendWhileFreezing(session, lookAlike(session.seq))).toThrow('refused')
    expect(session.events).toEqual([])
    expect(Object.freeze).toBe(freeze)
  })
})

describe('Object.freeze is given back', () => {
  it('when the host refuses the payload', () => {
    expect(() => markAtBirth.append(detached(), 'commit', undefined)).toThrow()
    expect(Object.freeze).toBe(freeze)
  })

  it('when the host refuses the event, with the log unchanged', async () => {
    const host = await boot({ persistence: false })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const off = host.ctx.on(
      'internal/dispatch',
      (_, name) => {
        if (name === 'session/event') throw new Error('not this one')
      },
      { global: true },
    )
    expect(() => carrier.append(session, 'commit', commit())).toThrow('not this one')
    expect(Object.freeze).toBe(freeze)
    expect(session.events).toEqual([])
    off()
    expect(carrier.append(session, 'commit', commit()).seq).toBe(0)
  })

  it('before anybody hears of the event: listeners find the host’s own', async () => {
    const host = await boot({ persistence: false })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const seen: unknown[] = []
    host.ctx.on('internal/dispatch', () => void seen.push(Object.freeze), { global: true })
    host.ctx.on('session/event', () => void seen.push(Object.freeze))
    carrier.append(session, 'commit', commit())
    expect(seen).toEqual([freeze, freeze])
  })

  it('but not over the patch that a listener installed meanwhile', async () => {
    const host = await boot({ persistence: false })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const patch = ((target: object) => freeze(target)) as typeof Object.freeze
    host.ctx.on('session/event', () => {
      Object.freeze = patch
    })
    const event = carrier.append(session, 'commit', commit())
    const after = Object.freeze
    Object.freeze = freeze
    expect(after).toBe(patch)
    expect(event.ignorable).toBe(true)
  })

  it('nor over one installed while the append fails', async () => {
    const host = await boot({ persistence: false })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const patch = ((target: object) => freeze(target)) as typeof Object.freeze
    host.ctx.on(
      'internal/dispatch',
      (_, name) => {
        if (name !== 'session/event') return
        Object.freeze = patch
        throw new Error('no')
      },
      { global: true },
    )
    expect(() => carrier.append(session, 'commit', commit())).toThrow('no')
    const after = Object.freeze
    Object.freeze = freeze
    expect(after).toBe(patch)
  })
})

describe('reentrancy', () => {
  it('an append to the same session from its own publication is refused, and the first is whole', async () => {
    const host = await boot({ persistence: false })
    const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
    const refusals: unknown[] = []
    host.ctx.on('session/event', () => {
      try {
        carrier.append(session, 'commit', commit())
      } catch (error) {
        refusals.push(error)
      }
    })
    const event = carrier.append(session, 'commit', commit())
    expect(refusals).toEqual([expect.objectContaining({ message: expect.stringContaining('cannot reenter') })])
    expect(session.events).toEqual([event])
    expect(event.ignorable).toBe(true)
  })

  it('an append to another session from a publication is marked as well, and events of others there are not', async () => {
    const host = await boot({ persistence: false })
    const first = (await host.createAgent({ sessionId: 'first', cwd: host.home })).session
    const second = (await host.createAgent({ sessionId: 'second', cwd: host.home })).session
    host.ctx.on('session/event', session => {
      if (session !== first) return
      appendNaively(second, 'other/plugin', {})
      carrier.append(second, 'commit', commit())
      appendNaively(second, 'other/plugin', {})
    })
    carrier.append(first, 'commit', commit())
    expect(first.events.map(event => event.ignorable)).toEqual([true])
    expect(second.events.map(event => event.ignorable)).toEqual([undefined, true, undefined])
  })
})

describe('what others made of Object.freeze', () => {
  it('read-only: the carrier fails to prove itself and writes nothing', () => {
    const { carrier: found, rejected } = withFreeze({ value: freeze, writable: false }, () => findCarrier())
    expect(found).toBeUndefined()
    expect(rejected.map(({ strategy }) => strategy)).toEqual(['append-option', 'mark-at-birth'])
    expect(rejected[1]?.reason).toMatch(/read only/)
  })

  it('read-only later on: the append throws, and the log is unchanged', () => {
    const session = detached()
    withFreeze({ value: freeze, writable: false }, () => {
      expect(() => carrier.append(session, 'commit', commit())).toThrow(/read only/)
    })
    expect(session.events).toEqual([])
  })

  it('deaf to assignment: the carrier fails to prove itself', () => {
    const search = withFreeze({ get: () => freeze, set: () => {} }, () => findCarrier())
    expect(search.carrier).toBeUndefined()
    expect(search.rejected[1]).toEqual({ strategy: 'mark-at-birth', reason: 'the event is not marked' })
  })

  it.each<readonly [string, () => PropertyDescriptor]>([
    ['a wrapper', () => ({ writable: true, value: (target: object) => freeze(target) })],
    [
      'a wrapper that freezes more',
      () => ({ writable: true, value: (target: object) => freeze(freeze([freeze(target)])[0]) }),
    ],
    ['a wrapper that minds its this', () => ({ writable: true, value: mindful })],
    [
      'an accessor',
      () => {
        let current: unknown = freeze
        return {
          get: () => current,
          set: (next: unknown) => {
            current = next
          },
        }
      },
    ],
  ])('%s is used, kept, and does no harm', (_, describeFreeze) => {
    withFreeze(describeFreeze(), () => {
      const wrapper = Object.freeze
      const found = findCarrier().carrier
      expect(found?.strategy).toBe('mark-at-birth')
      const session = detached()
      const event = found?.append(session, 'commit', commit())
      expect(event).toMatchObject({ ignorable: true })
      expect(Object.isFrozen(event)).toBe(true)
      expect(appendNaively(session, 'other/plugin', {})).not.toHaveProperty('ignorable')
      expect(Object.freeze).toBe(wrapper)
    })
  })

  it('a wrapper that does not freeze is found out', () => {
    const search = withFreeze({ writable: true, value: (target: object) => target }, () => findCarrier())
    expect(search.carrier).toBeUndefined()
    expect(search.rejected[1]?.reason).toBe('the event is not frozen')
  })
})

function mindful(this: unknown, target: CommitEvent): unknown {
  if (this !== Object) throw new TypeError('not called on Object')
  return freeze(target)
}
