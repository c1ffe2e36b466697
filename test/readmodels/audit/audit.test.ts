/** What can be asked of block ids: who lives, what stands for it, and every event that touched it. */
import { afterEach, describe, expect, it } from 'vitest'
import { blockId, type Namespace, type StoredEvent } from '../../../src/events/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { commit, embedded, eventId, NS_A, NS_B, recalled } from '../../support/events.ts'

const TEXTS = ['valve one', 'valve two', 'valve three'] as const
const [ONE, TWO, THREE] = TEXTS.map(blockId) as [string, string, string]

const open = new Set<Store>()
afterEach(() => {
  for (const store of open) store.close()
  open.clear()
})

function folded(...events: StoredEvent[]): Store {
  const store = new Store({ path: ':memory:', journal: '', keepJournal: true })
  open.add(store)
  store.fold(events)
  return store
}

interface Over {
  readonly ns?: Namespace
  readonly everywhere?: true
  readonly turn?: number
}

function act(n: number, verb: string, data: object, { ns = NS_A, everywhere, turn }: Over = {}): StoredEvent {
  const at = { session: 's1', time: 1_700_000_000_000 - n, ...(turn === undefined ? {} : { turn }) }
  const envelope = { v: 1, id: eventId(n), clock: n, ns, at, origin: 'tool' }
  return { type: `hologram/${verb}`, data: { ...envelope, ...data, ...(everywhere ? { everywhere } : {}) }, seq: n }
}

const merge = (n: number, keep: string, drop: string, over?: Over) => act(n, 'merge', { keep, drop }, over)
const purge = (n: number, ids: readonly string[], over?: Over) => act(n, 'purge', { ids, reason: 'asked to' }, over)
const said = TEXTS.map((text, n) => commit(n + 1, text))

describe('a lookup', () => {
  const one = (store: Store, id: string, namespace: string | undefined = NS_A.id) =>
    store.lookup(namespace === undefined ? { ids: [id] } : { ids: [id], namespace })[0]

  it('tells living, purged and unknown blocks apart, in each namespace', () => {
    const store = folded(...said, commit(4, TEXTS[0], { ns: NS_B }), purge(5, [ONE]))
    expect(one(store, ONE)?.state).toBe('purged')
    expect(one(store, TWO)?.state).toBe('living')
    expect(one(store, ONE, NS_B.id)?.state).toBe('living')
    expect(one(store, TWO, NS_B.id)?.state).toBe('unknown')
    expect(one(store, ONE, `ns_${'c'.repeat(24)}`)).toEqual({
      id: ONE,
      state: 'unknown',
      representative: ONE,
      family: [],
    })
    expect(store.lookup({ ids: [ONE] })[0]?.state).toBe('living')
  })

  it('follows merges to their end, whoever is asked for', () => {
    const store = folded(...said, merge(4, ONE, TWO), merge(5, THREE, ONE))
    for (const id of [ONE, TWO, THREE]) {
      expect(one(store, id)).toEqual({
        id,
        state: 'living',
        representative: THREE,
        family: [THREE, ...[ONE, TWO].sort()],
      })
    }
  })

  it('settles a circle by its earliest merge', () => {
    const circle = [merge(6, ONE, TWO), merge(7, TWO, THREE), merge(8, THREE, ONE)]
    for (const events of [circle, circle.toReversed()]) {
      expect(one(folded(...said, ...events), THREE)?.representative).toBe(ONE)
    }
  })

  it('takes the latest of two merges that drop one block', () => {
    const store = folded(...said, merge(5, THREE, ONE), merge(4, TWO, ONE))
    expect(one(store, ONE)?.representative).toBe(THREE)
    expect(one(store, TWO)?.family).toEqual([TWO])
  })

  it('knows of what was done everywhere in namespaces that came later', () => {
    const store = folded(merge(4, ONE, TWO, { everywhere: true }), purge(5, [THREE], { everywhere: true }))
    store.fold([1, 2, 3].map(n => commit(n, TEXTS[n - 1] ?? '', { ns: NS_B })))
    expect(one(store, TWO, NS_B.id)?.representative).toBe(ONE)
    expect(one(store, THREE, NS_B.id)?.state).toBe('purged')
  })
})

describe('a block as it is shown', () => {
  const edge = { sourceKind: 'block', sourceId: TWO, targetKind: 'entity', targetId: 'staging', type: 'mentions' }

  it('has its text, where it was said and what it is tied to, under every id that means it', () => {
    const store = folded(
      commit(1, TEXTS[0], { source: 'Ada', scene: 'ops' }),
      commit(2, TEXTS[1]),
      act(3, 'link', edge),
      merge(4, ONE, TWO),
    )
    const [shown, ...more] = store.show({ namespace: NS_A.id, id: TWO })
    expect(more).toEqual([])
    expect(shown).toEqual({
      id: ONE,
      ids: [ONE, TWO],
      namespace: NS_A.id,
      label: NS_A.label,
      state: 'living',
      text: TEXTS[0],
      source: 'Ada',
      scene: 'ops',
      semanticType: '',
      createdAt: expect.any(Number),
      said: [expect.objectContaining({ event: eventId(1), session: 's1', origin: 'tool' })],
      places: 1,
      edges: [{ ...edge, sourceId: ONE, confidence: 1 }],
      spaces: [],
      replacements: [],
    })
    expect(store.show({ namespace: NS_A.id, id: ONE })).toEqual([shown])
  })

  it('is shown in each namespace that has it, and in none that has not', () => {
    const store = folded(commit(1, TEXTS[0]), commit(2, TEXTS[0], { ns: NS_B, source: 'Bo' }), commit(3, TEXTS[1]))
    expect(store.show({ id: ONE }).map(({ namespace, source }) => [namespace, source])).toEqual([
      [NS_A.id, ''],
      [NS_B.id, 'Bo'],
    ])
    expect(store.show({ id: TWO, namespace: NS_B.id })).toEqual([])
    expect(store.show({ id: 'nothing' })).toEqual([])
  })

  it('of a purged one leaves the ids, and says nothing where it never was', () => {
    const store = folded(
      commit(1, TEXTS[0], { source: 'Ada' }),
      commit(2, TEXTS[1], { ns: NS_B }),
      purge(3, [ONE], { everywhere: true }),
    )
    expect(store.show({ id: ONE })).toMatchObject([{ state: 'purged', namespace: NS_A.id, text: null, source: '' }])
  })
})

describe('a history', () => {
  const edge = { sourceKind: 'block', sourceId: ONE, targetKind: 'entity', targetId: 'staging', type: 'mentions' }
  const events = [
    commit(1, TEXTS[0], { source: 'Ada', scene: 'ops', redacted: ['api_key'] }),
    commit(2, ` ${TEXTS[0]}`, { origin: 'import' }),
    commit(3, TEXTS[1]),
    recalled(4, [TEXTS[0], TEXTS[1]]),
    act(5, 'link', edge, { turn: 3 }),
    merge(6, ONE, TWO, { turn: 4 }),
    act(7, 'unlink', edge),
    purge(8, [THREE, ONE], { turn: 5 }),
  ]

  it.each([
    ['in order', events],
    ['backwards', events.toReversed()],
  ])('holds every event once, in event order, under every name, met %s', (_, met) => {
    const store = folded(...met)
    const { entries, ids, total } = store.history({ namespace: NS_A.id, id: ONE })
    expect(entries.map(({ clock, verb, what, turn }) => [clock, verb, what, turn])).toEqual([
      [1, 'commit', 'said by tool, and purged since', null],
      [2, 'commit', 'said by import, and purged since', null],
      [3, 'commit', 'said by tool', null],
      [4, 'recall', expect.stringMatching(/^recalled by tool, score 0\.500/), null],
      [5, 'link', `link block ${ONE} mentions entity staging`, 3],
      [6, 'merge', `${TWO} was merged into ${ONE}`, 4],
      [7, 'unlink', `unlink block ${ONE} mentions entity staging`, null],
      [8, 'purge', 'purged: asked to', 5],
    ])
    expect([ids, total]).toEqual([[ONE, TWO].sort(), 8])
    expect(store.history({ namespace: NS_A.id, id: TWO })).toEqual({
      id: TWO,
      ids,
      entries,
      total,
      replacements: [],
      text: TEXTS[1],
    })
    expect(entries[4]).toMatchObject({ event: eventId(5), session: 's1', seq: 5, namespace: NS_A.id, block: ONE })
  })

  it('lists each vector that came on its own, also one that another replaced, under every name', () => {
    const space = { fingerprint: 'f', dimension: 2, provider: 'p', model: 'm' }
    const vectors = [embedded(6, TEXTS[0], [1, 0], { space }), embedded(7, TEXTS[1], [0, 1], { space })]
    const events = [...said, merge(5, ONE, TWO), ...vectors, embedded(8, TEXTS[0], [0, 1], { space })]
    for (const met of [events, events.toReversed()]) {
      const { entries } = folded(...met).history({ namespace: NS_A.id, id: TWO })
      expect(entries.filter(({ verb }) => verb === 'embed').map(({ event, what }) => [event, what])).toEqual(
        [6, 7, 8].map(n => [eventId(n), 'was given a vector in f']),
      )
    }
    const after = folded(...events, purge(9, [ONE, TWO])).history({ namespace: NS_A.id, id: ONE })
    expect(after.entries.filter(({ verb }) => verb === 'embed')).toHaveLength(3)
  })

  it('shows what a commit brought, and its wording where that is another', () => {
    const { entries } = folded(...events.slice(0, 2)).history({ namespace: NS_A.id, id: ONE })
    expect(entries.map(({ what, wording }) => [what, wording])).toEqual([
      ['said by tool, source Ada, scene ops, removed api_key', null],
      ['said by import', ` ${TEXTS[0]}`],
    ])
  })

  it('keeps nothing of what was purged but where and when', () => {
    const { entries } = folded(...events.slice(0, 4), purge(8, [ONE])).history({ namespace: NS_A.id, id: ONE })
    expect(JSON.stringify(entries)).not.toMatch(/Ada|ops|valve/)
  })

  it('of one namespace holds nothing of another; of all holds both', () => {
    const store = folded(commit(1, TEXTS[0]), commit(2, TEXTS[0], { ns: NS_B }), recalled(3, [TEXTS[0]], { ns: NS_B }))
    const clocks = (namespace?: string) =>
      store.history(namespace === undefined ? { id: ONE } : { id: ONE, namespace }).entries.map(({ clock }) => clock)
    expect([clocks(NS_A.id), clocks(NS_B.id), clocks()]).toEqual([[1], [2, 3], [1, 2, 3]])
    expect(clocks(`ns_${'c'.repeat(24)}`)).toEqual([])
  })

  it('tells of a purge everywhere, and its reason only where it was made', () => {
    const store = folded(
      ...[NS_A, NS_B].flatMap((ns, at) => [commit(at + 1, TEXTS[0], { ns }), commit(at + 3, TEXTS[1], { ns })]),
      merge(5, TWO, ONE, { ns: NS_B, everywhere: true }),
      purge(6, [TWO], { ns: NS_B, everywhere: true }),
    )
    const told = (namespace?: string) =>
      store
        .history(namespace === undefined ? { id: TWO } : { id: TWO, namespace })
        .entries.map(({ what }) => what)
        .slice(-2)
    expect(told(NS_A.id)).toEqual([`${ONE} was merged into ${TWO}`, 'purged everywhere'])
    expect(told(NS_B.id)).toEqual([`${ONE} was merged into ${TWO}`, 'purged everywhere: asked to'])
    expect(told()).toEqual(told(NS_B.id))
  })

  it('is cut to a thousand events, and counts them all', () => {
    const store = folded(...Array.from({ length: 1_002 }, (_, n) => commit(n + 1, TEXTS[0])))
    const { entries, total } = store.history({ namespace: NS_A.id, id: ONE })
    expect([entries.length, total, entries[0]?.clock]).toEqual([1_000, 1_002, 1])
  })
})
