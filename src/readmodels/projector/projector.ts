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
import { type DigestedEvent, digestOf, type SeenEvent, seenEvents } from './seen.ts'

/** Why an event of ours was not folded; `disputed`: another content of it counts. */
export type Skipped = SkipReason | 'failed' | 'disputed'

/** What folding some events came to. */
export interface FoldTally {
  folded: number
  /** Events whose id had been folded before. */
  known: number
  skipped: Partial<Record<Skipped, number>>
  /** What the latest event that failed in the fold failed of. */
  lastFailure?: string
}

export function emptyTally(): FoldTally {
  return { folded: 0, known: 0, skipped: {} }
}

function addTally(to: FoldTally, { folded, known, skipped, lastFailure }: FoldTally): void {
  to.folded += folded
  to.known += known
  for (const [reason, count] of Object.entries(skipped)) {
    to.skipped[reason as Skipped] = (to.skipped[reason as Skipped] ?? 0) + count
  }
  if (lastFailure !== undefined) to.lastFailure = lastFailure
}

/** What became of one event. `created` tells, for a commit, whether its block was new in its namespace when it was folded. */
export type FoldOutcome =
  | { readonly status: 'folded'; readonly created?: boolean }
  | { readonly status: 'known'; readonly created?: true }
  | { readonly status: 'skipped'; readonly reason: Skipped | 'foreign' }

/**
 * Folds events into the tables. Commutative and idempotent: events may come in any order, and an id counts once. One
 * bad event is skipped and counted. Callers wrap calls in a transaction of their own.
 */
export class Projector {
  private readonly db: Database
  private readonly events
  private readonly addSpace
  private readonly namespaces
  private readonly blocks
  private readonly edges
  private readonly recalls

  constructor(db: Database) {
    this.db = db
    this.events = seenEvents(db)
    this.addSpace = db.prepare(`INSERT OR IGNORE INTO spaces
      (event, ns, clock, session, fingerprint, dim, provider, model) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    this.namespaces = namespaceTable(db)
    this.blocks = blockTables(db, (ns, ids) => this.edges.rename(ns, ids))
    this.edges = edgeTables(db, this.blocks.shown)
    this.recalls = recallTables(db, this.blocks.over)
  }

  /** Whether an event brought its block to its namespace; undefined when it was not folded. By id. */
  brought(stored: StoredEvent): boolean | undefined {
    const seen = this.seenAs(stored)
    return seen && seen.brought === 1
  }

  /** Whether the journal is known to hold an event, or a content of it that goes before this one. */
  journaled(stored: StoredEvent): boolean {
    const seen = this.seenAs(stored)
    if (seen?.journaled !== 1) return false
    const read = readEvent(stored.type, stored.data)
    return read.kind !== 'event' || seen.digest <= digestOf(read.event)
  }

  private seenAs({ data }: StoredEvent): SeenEvent | undefined {
    const id: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined
    return typeof id === 'string' ? this.events.find(id) : undefined
  }

  /** Whether folding this event would bring a block that its namespace does not have. Reads only. */
  brings(stored: StoredEvent): boolean {
    const read = readEvent(stored.type, stored.data)
    if (read.kind !== 'event' || read.event.verb !== 'commit') return false
    const ns = this.namespaces.find(read.event.data.ns.id)
    return ns === undefined || !this.blocks.has(ns, blockId(read.event.data.text))
  }

  /**
   * Folds events as one transaction, `then` with them. A savepoint for each costs a tenth of the time, so they are made
   * only where an event fails, or where somebody else's transaction is not to be lost for it.
   */
  foldGroup(events: readonly StoredEvent[], tally: FoldTally, journaled: boolean, then: () => void): FoldOutcome[] {
    const group = (fold: (counted: FoldTally) => FoldOutcome[]): FoldOutcome[] => {
      const counted = emptyTally()
      const run = () => {
        const outcomes = fold(counted)
        then()
        return outcomes
      }
      const outcomes = this.db.inTransaction ? run() : this.db.transaction(run).immediate()
      addTally(tally, counted)
      return outcomes
    }
    const singly = (counted: FoldTally) => events.map(event => this.fold(event, counted, journaled))
    if (this.db.inTransaction) return group(singly)
    try {
      return group(counted =>
        this.namespaces.together(() => events.map(event => this.take(event, counted, journaled, run => run()))),
      )
    } catch (error) {
      if (isTransient(error)) throw error
      return group(singly)
    }
  }

  /** Folds one event. `journaled` says whether the journal holds it. */
  fold(stored: StoredEvent, tally: FoldTally, journaled: boolean): FoldOutcome {
    return this.take(stored, tally, journaled, (run, event) => {
      // A savepoint of its own: what a failing event had begun must not stay.
      try {
        return this.db.transaction(run)()
      } catch (error) {
        if (isTransient(error)) throw error
        tally.lastFailure = `hologram/${event.verb} ${event.data.id}: ${reasonOf(error)}`
        return skip(tally, 'failed')
      }
    })
  }

  private take(
    stored: StoredEvent,
    tally: FoldTally,
    journaled: boolean,
    guard: (run: () => FoldOutcome, event: MemoryEvent) => FoldOutcome,
  ): FoldOutcome {
    const read = readEvent(stored.type, stored.data)
    if (read.kind === 'foreign') return { status: 'skipped', reason: 'foreign' }
    if (read.kind === 'skipped') return skip(tally, read.reason)
    const { event } = read
    const { id } = event.data
    const digested = { event, digest: digestOf(event) }
    const seen = this.events.find(id)
    if (!this.events.counts(digested, seen)) return skip(tally, 'disputed')
    if (seen !== undefined) {
      if (journaled && seen.journaled === 0) this.events.markJournaled(id)
      tally.known += 1
      return seen.brought === 1 ? { status: 'known', created: true } : { status: 'known' }
    }
    return guard(() => {
      const created = this.apply(digested, stored.seq, journaled)
      tally.folded += 1
      return created === undefined ? { status: 'folded' } : { status: 'folded', created }
    }, event)
  }

  private apply(digested: DigestedEvent, seq: number | undefined, journaled: boolean): boolean | undefined {
    const { event } = digested
    const ns = this.namespaces.resolve(event.data.ns, event.data)
    const created = this.foldInto(ns, event, seq)
    this.events.add(digested, ns, seq, journaled, created === true)
    return created
  }

  private foldInto(ns: number, event: MemoryEvent, seq: number | undefined): boolean | undefined {
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
        this.blocks.foldMerge(event.data, ns)
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
        this.addSpace.run(id, ns, clock, event.data.at.session ?? '', fingerprint, dimension, provider, model)
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

function skip(tally: FoldTally, reason: Skipped): FoldOutcome {
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
