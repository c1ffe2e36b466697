/** What can be asked of block ids: who lives, what stands for it, and every event that touched it. */
import { afterEach, describe, expect, it } from 'vitest'
import { blockId, type Namespace, type StoredEvent } from '../../../src/events/index.ts'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { commit, eventId, NS_A, NS_B, recalled } from '../../support/events.ts'

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
    expect(store.history({ namespace: NS_A.id, id: TWO })).toEqual({ id: TWO, ids, entries, total })
    expect(entries[4]).toMatchObject({ event: eventId(5), session: 's1', seq: 5, namespace: NS_A.id, block: ONE })
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

  it('is cut to a thousand events, and counts them all', () => {
    const store = folded(...Array.from({ length: 1_002 }, (_, n) => commit(n + 1, TEXTS[0])))
    const { entries, total } = store.history({ namespace: NS_A.id, id: ONE })
    expect([entries.length, total, entries[0]?.clock]).toEqual([1_000, 1_002, 1])
  })
})
