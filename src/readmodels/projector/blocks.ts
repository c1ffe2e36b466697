import type { Database } from 'better-sqlite3'
import {
  blockId,
  type CommitEvent,
  canonicalText,
  compareOrder,
  type EmbedEvent,
  type MergeEvent,
  type PurgeEvent,
} from '../../events/index.ts'
import { vectorTable } from '../vectors/index.ts'
import { type Aliases, aliasTable } from './aliases.ts'
import { blockRows } from './block-rows.ts'
import { type BlockState, blockState, extend } from './block-state.ts'
import { saidOnce, sourceTable } from './sources.ts'
import { covers, EVERYWHERE, isCaptured, tombstoneTable } from './tombstones.ts'

/**
 * Blocks: what commits, merges and purges amount to. A block has a row while one of its commits lives; the row is hidden
 * while another living block stands for it.
 */
export function blockTables(db: Database) {
  const tombstones = tombstoneTable(db)
  const aliases: Aliases = aliasTable(db)
  const sources = sourceTable(db)
  const rows = blockRows(db, sources.firstFrame)
  const vectors = vectorTable(db)

  const hidden = (ns: number, id: string): boolean => {
    const representative = aliases.resolve(ns, id)
    return representative !== id && rows.has(ns, representative)
  }

  /** Brings the blocks that merges connect with one to what they are now that it came, went or was merged. */
  const settle = (ns: number, ids: Iterable<string>): void => {
    for (const id of ids) {
      const block = rows.find(ns, id)
      if (block !== undefined && block.inactive !== hidden(ns, id)) {
        rows.write(ns, id, block.state, !block.inactive)
        vectors.settle({ ns, kind: 'block', id })
      }
    }
  }

  /** Writes a block that was not there. */
  const appear = (ns: number, id: string, state: BlockState): void => {
    const kin = aliases.connected(ns, id)
    rows.add(ns, id, state, kin.length > 1 && hidden(ns, id))
    vectors.settle({ ns, kind: 'block', id })
    if (kin.length > 1) settle(ns, kin)
  }

  /** Makes a block anew from its living commits. */
  const refresh = (ns: number, id: string, canonical: string): void => {
    const there = rows.has(ns, id)
    const state = blockState(sources.living(ns, id, canonical))
    if (state !== undefined) {
      if (there) rows.write(ns, id, state, hidden(ns, id))
      else appear(ns, id, state)
    } else if (there) {
      rows.remove(ns, id)
      vectors.settle({ ns, kind: 'block', id })
      settle(ns, aliases.connected(ns, id))
    }
  }

  return {
    aliases,

    /** Folds a commit; true when its block is new. */
    foldCommit(event: CommitEvent, ns: number, seq: number | undefined): boolean {
      const id = blockId(event.text)
      const said = saidOnce(event)
      const before = rows.find(ns, id)
      const tombstone = tombstones.over(ns, id)
      const dead = covers(tombstone, event)
      sources.add({ ns, block: id, event, seq, dead })
      if (dead) return false
      // Two usual cases need not read the other commits: there is none, and it comes after all of them.
      if (before === undefined && tombstone === undefined) {
        appear(ns, id, extend(undefined, said))
      } else if (before !== undefined && compareOrder(said, before.state.last) > 0) {
        rows.write(ns, id, extend(before.state, said), before.inactive)
      } else {
        refresh(ns, id, canonicalText(event.text))
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
          for (const commit of sources.living(place, id, canonical)) {
            if (covers(tombstone, commit)) sources.erase(place, id, commit)
          }
          refresh(place, id, canonical)
        }
      }
    },

    /** Folds a merge. Returns the namespaces and ids whose names it may have changed. */
    foldMerge(event: MergeEvent, ns: number): Array<{ readonly ns: number; readonly ids: string[] }> {
      aliases.add(event, event.everywhere ? EVERYWHERE : ns)
      const places = event.everywhere ? db.prepare<[], number>('SELECT ns FROM namespaces').pluck().all() : [ns]
      return places.map(place => {
        const ids = aliases.connected(place, event.drop)
        settle(place, ids)
        return { ns: place, ids }
      })
    },

    /** Refreshes when a block was last recalled, if it is there. */
    touch: rows.touch,
    has: rows.has,
    over: tombstones.over,
  }
}

export type Blocks = ReturnType<typeof blockTables>
