import { type FileHandle, open } from 'node:fs/promises'
import type { StoredEvent } from '../events/index.ts'
import { envelopeOf, isPortableJournalError, journalItems, readPortable } from '../logs/portable/index.ts'
import { type ImportStore, withImportStore } from './import-store.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import { type Output, progress } from './output.ts'

/** Events journaled with one fsync. */
const BATCH = 500
/** What is said of events that are kept for a newer version of us. */
const NEWER = 'kept, a newer dsh-hologram wrote them'

interface Checked {
  readonly events: number
  /** Ids of events that only a newer version of us can read. */
  readonly unread: Set<string>
  readonly malformed: number
}

/** Takes in a portable journal: all of it is checked before any of it is written. */
export async function importPortable(path: string, options: Options, output: Output): Promise<number> {
  const { dryRun, json, namespaces, project } = options
  if (namespaces.length > 0 || project !== undefined) {
    throw new UsageError('a portable journal brings its namespaces along; leave --namespace and --project away')
  }
  // One handle for both readings: what was checked is what is read.
  const file = await open(path, 'r')
  try {
    const { events, unread, malformed } = await check(file, path)
    await forgetJournaled(unread, options.journal)
    const answer = await withImportStore(options, async into => {
      await takeAll(file, unread, into, progress(output, 'events imported'))
      const { fresh, known, created, skipped } = into.tally
      return { file: path, kind: 'portable journal', dryRun, events, fresh, known, created, skipped }
    })
    if (malformed > 0) answer.skipped.malformed = malformed
    if (json) output.result(JSON.stringify(answer))
    else {
      output.result(
        `${dryRun ? 'would import' : 'imported'} ${answer.fresh} of ${events} events from ${path}; ` +
          `${answer.known} were known. Blocks that are new: ${answer.created}`,
      )
      for (const [reason, count] of Object.entries(answer.skipped)) output.remark(`${count} events not used: ${reason}`)
    }
    return EXIT.ok
  } finally {
    await file.close()
  }
}

async function check(file: FileHandle, path: string): Promise<Checked> {
  const unread = new Set<string>()
  let events = 0
  let malformed = 0
  try {
    for await (const event of readPortable(file)) {
      events += 1
      const envelope = envelopeOf(event)
      if ('reason' in envelope) malformed += 1
      else if (!envelope.readable) unread.add(envelope.id)
    }
  } catch (error) {
    if (!isPortableJournalError(error)) throw error
    throw new UsageError(`${path} cannot be imported: ${error.message}. Nothing was written; export it once more`)
  }
  return { events, unread, malformed }
}

/**
 * The database does not know events it cannot read, so whether the journal has them is asked of the journal. Those it has
 * are taken out of the set.
 */
async function forgetJournaled(unread: Set<string>, journal: string): Promise<void> {
  if (unread.size === 0) return
  for await (const item of journalItems(journal)) {
    const envelope = item.kind === 'event' ? envelopeOf(item.event) : undefined
    if (envelope !== undefined && 'id' in envelope) unread.delete(envelope.id)
  }
}

async function takeAll(
  file: FileHandle,
  unread: ReadonlySet<string>,
  { take, keep, tally }: ImportStore,
  report: (events: number) => void,
): Promise<void> {
  let batch: StoredEvent[] = []
  let unreadable: StoredEvent[] = []
  const flush = () => {
    if (batch.length > 0) take(batch)
    if (unreadable.length > 0) keep(unreadable, NEWER)
    batch = []
    unreadable = []
    report(tally.fresh + tally.known)
  }
  for await (const event of readPortable(file)) {
    const envelope = envelopeOf(event)
    if ('reason' in envelope) continue
    if (envelope.readable) batch.push(event)
    else if (unread.has(envelope.id)) unreadable.push(event)
    else tally.known += 1
    if (batch.length + unreadable.length >= BATCH) flush()
  }
  flush()
}
