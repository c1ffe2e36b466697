/** What a list of events should come to, worked out from the design and not by the fold: who lives, who stands for whom, what touched what. */
import assert from 'node:assert/strict'
import { blockId, compareOrder, type Order, type StoredEvent } from '../../src/events/index.ts'
import type { Store } from '../../src/readmodels/worker/store.ts'
import { NS_A, NS_B } from '../support/events.ts'

interface Payload extends Order {
  readonly ns: { readonly id: string }
  readonly text: string
  readonly origin: string
  readonly ids: readonly string[]
  readonly keep: string
  readonly drop: string
  readonly everywhere?: true
  readonly sourceKind: string
  readonly sourceId: string
  readonly targetKind: string
  readonly targetId: string
  readonly type: string
  readonly target: { readonly kind: string; readonly id: string }
  readonly hits: ReadonlyArray<{ readonly block: string }>
  readonly doc: string
  readonly blocks: readonly string[]
}

interface Said {
  readonly verb: string
  readonly data: Payload
}

/** Nobody asked for these: what they capture again stays forgotten. */
const CAPTURED = ['archive', 'distill', 'import']

/** What one namespace should hold. */
export class Expected {
  readonly ids: ReadonlySet<string>
  private readonly said: readonly Said[]

  constructor(events: readonly StoredEvent[], namespace: string) {
    const all = events.map(({ type, data }) => ({ verb: type.slice('hologram/'.length), data: data as Payload }))
    this.said = all
      .filter(({ data }) => data.ns.id === namespace || data.everywhere === true)
      .sort((a, b) => compareOrder(a.data, b.data))
    this.ids = new Set(all.flatMap(blocksOf))
  }

  lives(id: string): boolean {
    const purged = this.said.findLast(({ verb, data }) => verb === 'purge' && data.ids.includes(id))?.data
    return this.said.some(
      ({ verb, data }) =>
        verb === 'commit' &&
        blockId(data.text) === id &&
        (purged === undefined || (compareOrder(data, purged) > 0 && !CAPTURED.includes(data.origin))),
    )
  }

  /** The id that stands for another: the last merge that drops it counts, and in a circle the earliest decides. */
  standsFor(id: string): string {
    const path: Payload[] = []
    for (let current = id; ; ) {
      const merge = this.said.findLast(
        ({ verb, data }) => verb === 'merge' && data.drop === current && data.keep !== current,
      )?.data
      if (merge === undefined) return current
      const circle = path.slice(path.includes(merge) ? path.indexOf(merge) : path.length)
      if (circle.length > 0) return circle.toSorted(compareOrder)[0]?.keep ?? current
      path.push(merge)
      current = merge.keep
    }
  }

  /** The id that edges of a block stand under: who stands for it where that lives, else one of its family that does. */
  shownAs(id: string): string {
    const first = this.standsFor(id)
    if (this.lives(first)) return first
    return [id, ...this.family(id)].find(one => this.lives(one)) ?? first
  }

  family(id: string): string[] {
    return [...this.ids].filter(one => this.standsFor(one) === this.standsFor(id)).sort()
  }

  /** The edges that are, under the names of now: of all that was said of one the latest counts. */
  edges(): string[] {
    const last = new Map<string, string>()
    for (const { verb, data } of this.said) {
      if (verb === 'distill') {
        // What was distilled from a document is linked with it.
        for (const block of data.blocks) last.set(`${this.shownAs(block)} derived_from document ${data.doc}`, 'link')
      }
      if (verb !== 'link' && verb !== 'unlink') continue
      const { sourceKind, sourceId, targetKind, targetId, type } = data
      const source = sourceKind === 'block' ? this.shownAs(sourceId) : sourceId
      const target = targetKind === 'block' ? this.shownAs(targetId) : targetId
      if (sourceKind !== targetKind || source !== target) last.set(`${source} ${type} ${targetKind} ${target}`, verb)
    }
    return [...last].flatMap(([edge, verb]) => (verb === 'link' ? [edge] : [])).sort()
  }

  /** Every event that touched a block, under any of its names, in event order. */
  history(id: string): string[] {
    const family = new Set([id, ...this.family(id)])
    return this.said.filter(one => blocksOf(one).some(block => family.has(block))).map(({ data }) => data.id)
  }
}

function blocksOf({ verb, data }: Said): string[] {
  switch (verb) {
    case 'commit':
      return [blockId(data.text)]
    case 'embed':
      return data.target.kind === 'block' ? [data.target.id] : []
    case 'distill':
      return [...data.blocks]
    case 'purge':
      return [...data.ids]
    case 'merge':
      // Of a block with itself: nothing.
      return data.keep === data.drop ? [] : [data.keep, data.drop]
    case 'recall':
      return data.hits.map(({ block }) => block)
    case 'link':
    case 'unlink':
      return [
        ...(data.sourceKind === 'block' ? [data.sourceId] : []),
        ...(data.targetKind === 'block' ? [data.targetId] : []),
      ]
    default:
      return []
  }
}

/** Every read of a store, by every id, is what the events say. */
export function assertLaws(store: Store, events: readonly StoredEvent[]): void {
  for (const namespace of [NS_A.id, NS_B.id]) {
    if (!events.some(({ data }) => (data as Payload).ns.id === namespace)) continue
    const expected = new Expected(events, namespace)
    const ids = [...expected.ids].sort()
    const rows = store.database
      .prepare<[string], { id: string; inactive: number }>(
        'SELECT b.id, inactive FROM memory_blocks b JOIN namespaces n USING (ns) WHERE n.id = ? ORDER BY b.id',
      )
      .all(namespace)
    const living = ids.filter(id => expected.lives(id))
    const hidden = (id: string) => expected.standsFor(id) !== id && expected.lives(expected.standsFor(id))
    assert.deepEqual(
      rows,
      living.map(id => ({ id, inactive: hidden(id) ? 1 : 0 })),
    )
    for (const known of store.lookup({ namespace, ids })) {
      const family = expected.family(known.id)
      assert.deepEqual([known.representative, [...known.family].sort()], [expected.standsFor(known.id), family])
      assert.equal(
        known.state === 'living',
        family.some(id => expected.lives(id)),
      )
    }
    for (const id of ids) {
      const { entries, total } = store.history({ namespace, id })
      assert.deepEqual(
        entries.map(({ event }) => event),
        expected.history(id),
      )
      assert.equal(total, entries.length)
    }
    const edges = store.database
      .prepare<[string], string>(
        `SELECT source_id || ' ' || type || ' ' || target_kind || ' ' || target_id
         FROM memory_block_edges JOIN namespaces n USING (ns) WHERE n.id = ? AND status = 'active'`,
      )
      .pluck()
      .all(namespace)
    assert.deepEqual(edges.sort(), expected.edges())
  }
}
