import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvent, VERBS } from '../../src/events/index.ts'
import { commit, payload, recall, space } from './samples.ts'

const PREFIXES = ['hologram/', 'plugin:hologram/', 'plugin:dsh-hologram/']

describe.each(VERBS)('reading %s', verb => {
  it.each(PREFIXES)('gives the same event under %s', prefix => {
    expect(readEvent(`${prefix}${verb}`, payload(verb))).toEqual({
      kind: 'event',
      event: { verb, data: payload(verb) },
    })
  })

  it('survives the way through a log unchanged', () => {
    const stored: unknown = JSON.parse(JSON.stringify(payload(verb)))
    expect(readEvent(`hologram/${verb}`, stored)).toEqual({ kind: 'event', event: { verb, data: payload(verb) } })
  })

  it.each([2, 1.5, 99, Number.POSITIVE_INFINITY])('skips version %d as a newer one, and says which', v => {
    const read = readEvent(`hologram/${verb}`, { ...payload(verb), v })
    expect(read).toEqual({ kind: 'skipped', reason: 'newer_version', detail: `hologram/${verb} version ${v}` })
  })

  it.each([0, -1, Number.NaN, '1', null, undefined, {}])('a version that never was, %o, is malformed', v => {
    expect(readEvent(`hologram/${verb}`, { ...payload(verb), v })).toMatchObject({ reason: 'malformed' })
  })

  it.each(Object.keys(payload(verb)))('without its member %s it is malformed, and the detail names it', key => {
    const { [key]: _, ...rest } = payload(verb) as Record<string, unknown>
    const read = readEvent(`hologram/${verb}`, rest)
    expect(read).toMatchObject({ kind: 'skipped', reason: 'malformed' })
    // frames, vectors and the like are optional, and not in the samples
    expect(read.kind === 'skipped' ? read.detail : '').toContain(key)
  })

  it.each([undefined, null, 0, 'text', [], [1], () => 1, Symbol('s'), 10n, new Date(), new Map()])(
    'a payload that is no record, %o, is malformed',
    data => {
      expect(readEvent(`hologram/${verb}`, data)).toMatchObject({ kind: 'skipped', reason: 'malformed' })
    },
  )

  it('members of a later minor version are passed over, not refused', () => {
    const read = readEvent(`hologram/${verb}`, { ...payload(verb), addedLater: { deep: true } })
    expect(read).toEqual({ kind: 'event', event: { verb, data: payload(verb) } })
  })
})

describe('what is not ours', () => {
  it.each(['turn/start', 'user/message', 'hologramme/commit', '', undefined, null, 7, {}])('%o is foreign', type => {
    expect(readEvent(type, commit())).toEqual({ kind: 'foreign' })
  })

  it('a verb of a newer version of us is skipped, with its name', () => {
    expect(readEvent('hologram/dream', commit())).toEqual({
      kind: 'skipped',
      reason: 'unknown_verb',
      detail: 'hologram/dream',
    })
  })
})

describe('values out of bounds are malformed', () => {
  it.each([
    ['an id of another kind', commit({ id: 'evt_short' })],
    ['an id in letters ULIDs have not', commit({ id: `evt_${'I'.repeat(26)}` })],
    ['clock zero', commit({ clock: 0 })],
    ['a fractional clock', commit({ clock: 1.5 })],
    ['a clock beyond the largest', commit({ clock: 2 ** 48 + 1 })],
    ['an empty text', commit({ text: '' })],
    ['a namespace that is a path', commit({ ns: { id: 'home/me', label: '' } })],
    ['a source that is a whole page', commit({ source: 'x'.repeat(501) })],
    ['a vector that is not base64', commit({ vector: { space: 'f', data: 'ü' } })],
  ])('%s (commit)', (_, data) => {
    expect(readEvent('hologram/commit', data)).toMatchObject({ kind: 'skipped', reason: 'malformed' })
  })

  it.each([
    ['dimension zero', space({ dimension: 0 })],
    ['no fingerprint', space({ fingerprint: '' })],
  ])('%s (space)', (_, data) => {
    expect(readEvent('hologram/space', data)).toMatchObject({ kind: 'skipped', reason: 'malformed' })
  })

  it.each([
    ['a block id of another kind', recall({ hits: [{ block: 'b1', score: 1, exact: true, why: '' }] })],
    [
      'a score that is no number',
      recall({ hits: [{ block: `blk_${'0'.repeat(24)}`, score: Number.NaN, exact: true, why: '' }] }),
    ],
  ])('%s (recall)', (_, data) => {
    expect(readEvent('hologram/recall', data)).toMatchObject({ kind: 'skipped', reason: 'malformed' })
  })
})

describe('reading never throws', () => {
  const thrown: ReadonlyArray<readonly [string, unknown]> = [
    ['an error', new Error('no')],
    ['a string', 'no'],
    ['undefined', undefined],
    ['a symbol', Symbol('no')],
    ['an object without a prototype', Object.create(null)],
    [
      'an object that cannot be made a string',
      {
        toString() {
          throw new Error('no')
        },
      },
    ],
  ]

  it.each(thrown)('at a getter that throws %s', (_, error) => {
    const trap = (key: string) =>
      Object.defineProperty({ ...commit() }, key, {
        enumerable: true,
        get() {
          throw error
        },
      })
    for (const key of ['v', 'id', 'text', 'at']) {
      expect(readEvent('hologram/commit', trap(key))).toMatchObject({ kind: 'skipped', reason: 'malformed' })
    }
  })

  it('at a proxy that was revoked', () => {
    const { proxy, revoke } = Proxy.revocable({ ...commit() }, {})
    revoke()
    expect(readEvent('hologram/commit', proxy)).toMatchObject({ kind: 'skipped', reason: 'malformed' })
  })

  it('at a payload that holds itself', () => {
    const loop: Record<string, unknown> = { ...commit() }
    loop.at = loop
    expect(readEvent('hologram/commit', loop)).toMatchObject({ kind: 'skipped', reason: 'malformed' })
  })

  it('at anything', () => {
    const name = fc.oneof(fc.constantFrom('hologram/commit', 'plugin:hologram/recall', 'hologram/space'), fc.string())
    fc.assert(
      fc.property(name, fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }), (type, data) => {
        expect(['event', 'foreign', 'skipped']).toContain(readEvent(type, data).kind)
      }),
    )
  })

  it('at a valid payload with one member replaced by anything', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VERBS), fc.nat(), fc.anything({ withNullPrototype: true }), (verb, n, value) => {
        const keys = Object.keys(payload(verb))
        const key = keys[n % keys.length] ?? 'v'
        expect(['event', 'skipped']).toContain(readEvent(`hologram/${verb}`, { ...payload(verb), [key]: value }).kind)
      }),
    )
  })
})
