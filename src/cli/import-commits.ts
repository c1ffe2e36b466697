import { isCommandRefused } from '../commands/index.ts'
import {
  blockId,
  blockIdSchema,
  type CommitEvent,
  eventName,
  MERGE_VERSION,
  type MergeEvent,
  type Namespace,
  readEvent,
  type StoredEvent,
} from '../events/index.ts'
import type { LegacyBlock } from '../readmodels/legacy/index.ts'
import { importedEventId } from './import-event-id.ts'
import { decideImportedText } from './import-text.ts'

/** What an old row amounts to. */
export interface ImportedRow {
  /** Id of the block its text belongs to, in our numbering. */
  readonly block: string
  readonly vector: boolean
  /** Why there is no vector; empty with one. */
  readonly noVector: string
  /** Whether its old id can be kept as another name of the block. */
  readonly alias: boolean
  /** The events it becomes, with clocks from `tick`. */
  events(tick: () => number): StoredEvent[]
}

/** Decides a row, or says why it is not taken. `time` stands in where the row has none. */
export function decideRow(row: LegacyBlock, ns: Namespace): ImportedRow | { readonly skipped: string } {
  if (row.modality !== 'text') return { skipped: `modality ${row.modality.slice(0, 40)}` }
  try {
    return decide(row, ns)
  } catch (error) {
    if (!isCommandRefused(error)) throw error
    return { skipped: error.code }
  }
}

function decide(row: LegacyBlock, ns: Namespace): ImportedRow | { readonly skipped: string } {
  const draft = decideImportedText(row)
  const at = { time: row.time ?? 0 }
  // An embedding tells of its text: that of a text that had a secret in it goes with the secret.
  const redacted = draft.block !== blockId(row.text as string)
  const vector = redacted ? { noVector: 'import: the text was redacted' } : row.vector
  const commit = (clock: number): CommitEvent => {
    const event = { ...draft.stamp({ id: '', clock, ns, at }), ...vector }
    return { ...event, id: importedEventId('commit', row.id, { ...event, clock: 0 }) }
  }
  const read = readEvent(eventName('commit'), commit(1))
  if (read.kind !== 'event') return { skipped: 'detail' in read ? `malformed: ${read.detail}` : read.kind }
  const alias = row.id !== draft.block && blockIdSchema.safeParse(row.id).success
  return {
    block: draft.block,
    vector: 'vector' in vector,
    noVector: 'noVector' in vector ? vector.noVector : '',
    alias,
    events: tick => [
      { type: eventName('commit'), data: commit(tick()) },
      ...(alias ? [{ type: eventName('merge'), data: renamed(row.id, draft.block, ns, at.time, tick()) }] : []),
    ],
  }
}

/** The old id becomes another name of the block. */
function renamed(drop: string, keep: string, ns: Namespace, time: number, clock: number): MergeEvent {
  const id = importedEventId('alias', ns, time, keep, drop)
  return {
    v: MERGE_VERSION,
    id,
    clock,
    ns,
    at: { time },
    keep,
    drop,
    reason: 'id of the earlier port',
    origin: 'import',
  }
}
