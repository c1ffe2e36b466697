import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf, type StoredEvent } from '../events/index.ts'
import { JournalWriter } from '../logs/index.ts'
import { Store } from '../readmodels/worker/store.ts'
import { type Options, UsageError } from './options.ts'

/** What became of the events of an import. */
export interface ImportTally {
  /** Not known by id before, and in the journal now. */
  fresh: number
  known: number
  /** Blocks that their namespace did not have. */
  created: number
  /** Could not be folded, by reason. */
  skipped: Record<string, number>
}

export interface ImportStore {
  readonly store: Store
  readonly tally: ImportTally
  /**
   * Journals and folds what is new. An event whose id is known stays as it was made first, though it would have another clock
   * today.
   */
  take(events: readonly StoredEvent[]): void
  /** Journals what cannot be folded, and is known to be new. */
  keep(events: readonly StoredEvent[], reason: string): void
}

/**
 * Runs an import with a store that has read the whole journal, so that what is known is known and clocks begin above all
 * others. The store writes a stream of its own, beside those of hosts that run. A dry run does the same in a database
 * aside that is thrown away, and leaves the journal as it is: what it says is what it saw happen.
 */
export async function withImportStore<T>(
  { path, journal, dryRun }: Pick<Options, 'path' | 'journal' | 'dryRun'>,
  run: (into: ImportStore) => Promise<T> | T,
): Promise<T> {
  const aside = dryRun ? mkdtempSync(join(tmpdir(), 'dsh-hologram-dry-run-')) : undefined
  const kept = JournalWriter.inFolder(journal)
  const store = new Store({ path: aside === undefined ? path : join(aside, 'memory.db'), journal, keepJournal: dryRun })
  try {
    usable(store)
    await store.catchUpJournal()
    const answer = await run(importInto(store, dryRun ? undefined : kept))
    // Where another process held the database for long, events wait in the journal.
    if (store.isBehind) await store.catchUpJournal()
    return answer
  } finally {
    store.close()
    kept.close()
    if (aside !== undefined) rmSync(aside, { recursive: true, force: true })
  }
}

function usable(store: Store): void {
  try {
    store.database
  } catch (error) {
    throw new UsageError(reasonOf(error))
  }
}

function importInto(store: Store, kept: JournalWriter | undefined): ImportStore {
  const tally: ImportTally = { fresh: 0, known: 0, created: 0, skipped: {} }
  return {
    store,
    tally,
    take(events) {
      const fresh = new Map<unknown, StoredEvent>()
      for (const event of events) {
        const id: unknown = Reflect.get(event.data as object, 'id')
        if (fresh.has(id) || store.knows(event)) tally.known += 1
        else fresh.set(id, event)
      }
      const { acks } = store.fold([...fresh.values()])
      for (const { status, created, reason = 'failed' } of acks) {
        if (status === 'known') tally.known += 1
        else tally.fresh += 1
        if (status === 'skipped') tally.skipped[reason] = (tally.skipped[reason] ?? 0) + 1
        if (created && status !== 'known') tally.created += 1
      }
    },
    keep(events, reason) {
      kept?.append(events)
      tally.fresh += events.length
      tally.skipped[reason] = (tally.skipped[reason] ?? 0) + events.length
    },
  }
}
