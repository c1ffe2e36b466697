import type { Database } from 'better-sqlite3'
import {
  blockId,
  type DistillEvent,
  LINK_VERSION,
  type LinkEvent,
  type MemoryEvent,
  readEvent,
  reasonOf,
  type SkipReason,
  type StoredEvent,
} from '../../events/index.ts'
import { foldDistill, foldRecalledPages, foldWithheld } from '../cold/distilled.ts'
import { foldArchive } from '../cold/documents.ts'
import { declareSpace } from '../vectors/index.ts'
import { blockTables } from './blocks.ts'
import { edgeTables } from './edges.ts'
import { namespaceTable } from './namespaces.ts'
import { recallTables } from './recalls.ts'

/** What folding some events came to. */
export interface FoldTally {
  folded: number
  /** Events whose id had been folded before. */
  known: number
  skipped: Partial<Record<SkipReason | 'failed', number>>
  /** What the latest event that failed in the fold failed of. */
  lastFailure?: string
}

export function emptyTally(): FoldTally {
  return { folded: 0, known: 0, skipped: {} }
}

/** What became of one event. `created` tells, for a commit, whether its block is new in its namespace. */
export type FoldOutcome =
  | { readonly status: 'folded'; readonly created?: boolean }
  | { readonly status: 'known' }
  | { readonly status: 'skipped'; readonly reason: SkipReason | 'failed' | 'foreign' }

/**
 * Folds events into the tables. Commutative and idempotent: events may come in any order, and an id counts once. One
 * bad event is skipped and counted. Callers wrap calls in a transaction of their own.
 */
export class Projector {
  private readonly db: Database
  private readonly isJournaled
  private readonly markJournaled
  private readonly see
  private readonly addSpace
  private readonly namespaces
  private readonly blocks
  private readonly edges
  private readonly recalls

  constructor(db: Database) {
    this.db = db
    this.isJournaled = db.prepare<[string], number>('SELECT journaled FROM events_seen WHERE id = ?').pluck()
    this.markJournaled = db.prepare('UPDATE events_seen SET journaled = 1 WHERE id = ?')
    this.see = db.prepare(
      'INSERT INTO events_seen (id, clock, verb, ns, session, seq, journaled) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.addSpace = db.prepare(`INSERT OR IGNORE INTO spaces
      (event, ns, clock, session, fingerprint, dim, provider, model) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    this.namespaces = namespaceTable(db)
    this.blocks = blockTables(db)
    this.edges = edgeTables(db, this.blocks.aliases)
    this.recalls = recallTables(db, this.blocks.over)
  }

  /** Whether an event was folded, by id. */
  seen(id: string): boolean {
    return this.isJournaled.get(id) !== undefined
  }

  /** Whether an event was folded and is known to be in the journal. */
  journaled(id: string): boolean {
    return this.isJournaled.get(id) === 1
  }

  /** Whether folding this event would bring a block that its namespace does not have. Reads only. */
  brings(stored: StoredEvent): boolean {
    const read = readEvent(stored.type, stored.data)
    if (read.kind !== 'event' || read.event.verb !== 'commit') return false
    const ns = this.namespaces.find(read.event.data.ns.id)
    return ns === undefined || !this.blocks.has(ns, blockId(read.event.data.text))
  }

  /** Folds one event. `journaled` says whether the journal holds it. */
  fold(stored: StoredEvent, tally: FoldTally, journaled: boolean): FoldOutcome {
    const read = readEvent(stored.type, stored.data)
    if (read.kind === 'foreign') return { status: 'skipped', reason: 'foreign' }
    if (read.kind === 'skipped') return skip(tally, read.reason)
    const { id } = read.event.data
    if (this.seen(id)) {
      if (journaled && !this.journaled(id)) this.markJournaled.run(id)
      tally.known += 1
      return { status: 'known' }
    }
    // A savepoint of its own: what a failing event had begun must not stay.
    try {
      const created = this.db.transaction(() => this.apply(read.event, stored.seq, journaled))()
      tally.folded += 1
      return created === undefined ? { status: 'folded' } : { status: 'folded', created }
    } catch (error) {
      if (isTransient(error)) throw error
      tally.lastFailure = `hologram/${read.event.verb} ${id}: ${reasonOf(error)}`
      return skip(tally, 'failed')
    }
  }

  private apply(event: MemoryEvent, seq: number | undefined, journaled: boolean): boolean | undefined {
    const { data } = event
    const ns = this.namespaces.resolve(data.ns, data)
    const session = data.at.session ?? ''
    this.see.run(data.id, data.clock, event.verb, ns, session, seq ?? null, journaled ? 1 : 0)
    switch (event.verb) {
      case 'commit':
        return this.blocks.foldCommit(event.data, ns, seq)
      case 'embed':
        declareSpace(this.db, event.data.space, event.data)
        this.blocks.foldEmbed(event.data, ns)
        return undefined
      case 'recall':
        for (const block of this.recalls.foldRecall(event.data, ns)) this.blocks.touch(ns, block)
        foldRecalledPages(this.db, event.data, ns)
        return undefined
      case 'link':
      case 'unlink':
        this.edges.fold(event.data, event.verb, ns)
        return undefined
      case 'merge':
        for (const { ns: place, ids } of this.blocks.foldMerge(event.data, ns)) this.edges.rename(place, ids)
        return undefined
      case 'purge':
        this.blocks.foldPurge(event.data, ns)
        foldWithheld(this.db, event.data, ns)
        this.recalls.hush(event.data.ids, event.data.everywhere ? undefined : ns)
        return undefined
      case 'archive':
        foldArchive(this.db, event.data, ns)
        return undefined
      case 'distill':
        foldDistill(this.db, event.data, ns)
        for (const block of new Set(event.data.blocks)) this.edges.fold(derived(event.data, block), 'link', ns)
        return undefined
      case 'space': {
        const { id, clock, fingerprint, dimension, provider, model } = event.data
        this.addSpace.run(id, ns, clock, session, fingerprint, dimension, provider, model)
        declareSpace(this.db, event.data, event.data)
        return undefined
      }
    }
  }
}

/** The edge from a block to the document it was distilled from. */
function derived({ id, clock, ns, at, doc }: DistillEvent, block: string): LinkEvent {
  const ends = { sourceKind: 'block', sourceId: block, targetKind: 'document', targetId: doc } as const
  return { v: LINK_VERSION, id, clock, ns, at, ...ends, type: 'derived_from', origin: 'distill' }
}

function skip(tally: FoldTally, reason: SkipReason | 'failed'): FoldOutcome {
  tally.skipped[reason] = (tally.skipped[reason] ?? 0) + 1
  return { status: 'skipped', reason }
}

/** Errors of the file rather than of the event: the whole group is tried again, or the file is replaced. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^SQLITE_(?!CONSTRAINT|MISMATCH|RANGE|TOOBIG|ERROR)/.test(String(error.code))
  )
}
