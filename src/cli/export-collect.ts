import type { StoredEvent } from '../events/index.ts'
import { listSessionLogs, readSessionLog } from '../logs/index.ts'
import { type EventSpool, envelopeOf, journalItems } from '../logs/portable/index.ts'
import type { From } from './options.ts'

export interface CollectRequest {
  readonly from: From
  readonly journal: string
  readonly roots: readonly string[]
  /** Ids of namespaces; all of them when empty. */
  readonly namespaces: readonly string[]
}

export interface Collected {
  /** Events that bear our name and were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Places in logs and journal that could not be read. */
  readonly issues: number
  /** Events of other namespaces that act in every one. */
  readonly others: number
  /** Every namespace that was met, by id, with its latest label. */
  readonly namespaces: ReadonlyMap<string, string>
}

/**
 * Brings every event into the spool once by id; the journal first, as `rebuild` reads. What a newer version of us wrote is
 * taken along; what no version can read is left out and counted. With `namespaces`, purges and merges that act everywhere
 * come along from the others: without them a purged text would be back on the other machine.
 */
export async function collectEvents(
  { from, journal, roots, namespaces }: CollectRequest,
  spool: EventSpool,
  report: (events: number) => void,
): Promise<Collected> {
  const skipped: Record<string, number> = {}
  const met = new Map<string, string>()
  let issues = 0
  let others = 0

  const take = (event: StoredEvent) => {
    const envelope = envelopeOf(event)
    if ('reason' in envelope) {
      skipped[envelope.reason] = (skipped[envelope.reason] ?? 0) + 1
      return
    }
    met.set(envelope.ns.id, envelope.ns.label)
    const wanted = namespaces.length === 0 || namespaces.includes(envelope.ns.id)
    if (!wanted && !envelope.everywhere) return
    if (spool.add(envelope, event) && !wanted) others += 1
    report(spool.count)
  }

  if (from !== 'logs') {
    for await (const item of journalItems(journal)) {
      if (item.kind === 'issue') issues += 1
      else take(item.event)
    }
  }
  if (from !== 'journal') {
    for (const root of roots) {
      const unreadable = () => {
        issues += 1
      }
      for await (const log of listSessionLogs(root, unreadable)) {
        for await (const item of readSessionLog(log)) {
          if (item.kind === 'issue') issues += 1
          else take(item.event)
        }
      }
    }
  }
  return { skipped, issues, others, namespaces: met }
}
