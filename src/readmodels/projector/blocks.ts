import type { Database } from 'better-sqlite3'
import {
  type CommitEvent,
  canonicalBlockId,
  canonicalText,
  compareOrder,
  type EmbedEvent,
  type MergeEvent,
  type PurgeEvent,
} from '../../events/index.ts'
import { keepWording } from '../cold/purged.ts'
import { vectorTable } from '../vectors/index.ts'
import { type Aliases, aliasTable, type Kin } from './aliases.ts'
import { blockRows } from './block-rows.ts'
import { type BlockState, blockState, extend } from './block-state.ts'
import { shownNames } from './shown.ts'
import { saidOnce, sourceTable } from './sources.ts'
import { covers, EVERYWHERE, isCaptured, tombstoneTable } from './tombstones.ts'

/**
 * Blocks: what commits, merges and purges amount to. A block has a row while one of its commits lives; the row is hidden
 * while another living block stands for it.
 *
 * @param renamed hears of blocks that may be shown under another id than before
 */
export function blockTables(db: Database, renamed: (ns: number, ids: readonly string[]) => void) {
  const tombstones = tombstoneTable(db)
  const aliases: Aliases = aliasTable(db)
  const sources = sourceTable(db)
  const rows = blockRows(db, sources.firstFrame)
  const vectors = vectorTable(db)
  const shown = shownNames(db, aliases)

  const hidden = (ns: number, id: string, kin: Kin = aliases.kin(ns, id)): boolean => {
    const representative = kin.representative(id)
    return representative !== id && rows.has(ns, representative)
  }

  /** Hides and shows what merges connect, now that one of them came, went or was merged. */
  const settle = (ns: number, ids: Iterable<string>, kin: Kin): void => {
    for (const id of ids) {
      const block = rows.find(ns, id)
      if (block !== undefined && block.inactive !== hidden(ns, id, kin)) {
        rows.write(ns, id, block.state, !block.inactive)
        vectors.settle({ ns, kind: 'block', id })
      }
    }
  }

  /** Writes a block that was not there. */
  const appear = (ns: number, id: string, canonical: string, state: BlockState): void => {
    const kin = aliases.kin(ns, id)
    const was = shownAs(ns, kin.ids)
    rows.add(ns, id, canonical, state, hidden(ns, id, kin))
    vectors.settle({ ns, kind: 'block', id })
    settleKin(ns, kin.ids, kin, was)
  }

  /** Under which ids some that are connected are shown. */
  const shownAs = (ns: number, ids: readonly string[]): ReadonlyMap<string, string> => {
    const names = shown(ns)
    return new Map(ids.length === 1 ? [] : ids.map(id => [id, names.of(id)]))
  }

  /** What follows when a block came or went, or was merged, for all that merges connect with it. */
  const settleKin = (ns: number, ids: readonly string[], kin: Kin, was: ReadonlyMap<string, string>): void => {
    if (kin.ids.length === 1) return
    settle(ns, ids, kin)
    const now = shownAs(ns, kin.ids)
    const moved = kin.ids.filter(id => was.get(id) !== now.get(id))
    // What was said of those that moved stood under the ids they were shown under.
    if (moved.length > 0) renamed(ns, [...new Set(moved.flatMap(id => [id, was.get(id) ?? id]))])
  }

  /** Makes a block anew from its living commits. */
  const refresh = (ns: number, id: string, canonical: string): void => {
    const there = rows.has(ns, id)
    const state = blockState(sources.living(ns, id, canonical))
    if (state !== undefined) {
      if (there) rows.write(ns, id, state, hidden(ns, id))
      else appear(ns, id, canonical, state)
    } else if (there) {
      const kin = aliases.kin(ns, id)
      const was = shownAs(ns, kin.ids)
      rows.remove(ns, id)
      vectors.settle({ ns, kind: 'block', id })
      settleKin(ns, kin.ids, kin, was)
    }
  }

  return {
    shown,

    /** Folds a commit; true when its block is new. */
    foldCommit(event: CommitEvent, ns: number, seq: number | undefined): boolean {
      const canonical = canonicalText(event.text)
      const id = canonicalBlockId(canonical)
      const said = saidOnce(event)
      const before = rows.find(ns, id)
      const tombstone = tombstones.over(ns, id)
      if (tombstone !== undefined) keepWording(db, ns, id, canonical)
      const dead = covers(tombstone, event)
      sources.add({ ns, block: id, canonical, event, seq, dead })
      if (dead) return false
      // Two usual cases need not read the other commits: there is none, and it comes after all of them.
      if (before === undefined && tombstone === undefined) {
        appear(ns, id, canonical, extend(undefined, said))
      } else if (before !== undefined && compareOrder(said, before.state.last) > 0) {
        rows.write(ns, id, extend(before.state, said), before.inactive)
      } else {
        refresh(ns, id, canonical)
      }
      if (event.vector !== undefined) {
        const { space, data } = event.vector
        const captured = isCaptured(event.origin)
        vectors.put({ ns, kind: 'block', id }, { fingerprint: space, data, captured, clock: event.clock, id: event.id })
      }
      return before === undefined
    },

    /** Folds a vector that came on its own; one that a tombstone covers is not kept. */
    foldEmbed({ target, space, data, clock, id, at }: EmbedEvent, ns: number): void {
      if (target.kind === 'block')
        vectors.note({ ns, block: target.id, event: id, space: space.fingerprint, time: at.time })
      const tombstone = target.kind === 'block' ? tombstones.over(ns, target.id) : undefined
      if (tombstone !== undefined && compareOrder({ clock, id }, tombstone) < 0) return
      vectors.put({ ns, ...target }, { fingerprint: space.fingerprint, data, captured: false, clock, id })
    },

    foldPurge(event: PurgeEvent, ns: number): void {
      tombstones.add(event, event.everywhere ? EVERYWHERE : ns)
      for (const id of new Set(event.ids)) {
        const places = event.everywhere ? new Set([...sources.namespacesOf(id), ...vectors.namespacesOf(id)]) : [ns]
        for (const place of places) {
          const tombstone = tombstones.over(place, id)
          if (tombstone !== undefined) vectors.purge({ ns: place, kind: 'block', id }, tombstone)
          const block = rows.find(place, id)
          if (block === undefined) continue
          const canonical = canonicalText(block.state.text)
          keepWording(db, place, id, canonical)
          for (const commit of sources.living(place, id, canonical)) {
            if (covers(tombstone, commit)) sources.erase(place, id, commit)
          }
          refresh(place, id, canonical)
        }
      }
    },

    foldMerge(event: MergeEvent, ns: number): void {
      const places = event.everywhere ? db.prepare<[], number>('SELECT ns FROM namespaces').pluck().all() : [ns]
      const before = places.map(place => {
        const kins = [event.drop, event.keep].map(id => aliases.kin(place, id))
        const names = shown(place)
        return {
          standing: new Map(kins.flatMap(kin => kin.ids.map(id => [id, kin.representative(id)] as const))),
          shown: new Map(kins.flatMap(({ ids }) => ids.map(id => [id, names.of(id)] as const))),
        }
      })
      aliases.add(event, event.everywhere ? EVERYWHERE : ns)
      places.forEach((place, i) => {
        const kin = aliases.kin(place, event.drop)
        const moved = kin.ids.filter(id => before[i]?.standing.get(id) !== kin.representative(id))
        settleKin(place, moved, kin, before[i]?.shown ?? new Map())
      })
    },

    /** Refreshes when a block was last recalled, if it is there. */
    touch: rows.touch,
    has: rows.has,
    over: tombstones.over,
  }
}

export type Blocks = ReturnType<typeof blockTables>
