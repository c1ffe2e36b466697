import type { StoredEvent } from '../../events/index.ts'
import type { JournalWriter } from '../journal-writer.ts'
import type { SessionLogFile } from '../roots.ts'
import { eventKey } from './event-key.ts'
import { readRecords } from './records.ts'

/** Events written, and synced, in one go. */
const GROUP = 200

export interface Secured {
  /** Events of ours in the log. */
  readonly events: number
  /** Those of them that the journal did not hold. */
  readonly secured: number
}

/** Writes to the journal what a log holds of ours and the journal does not, and adds it to `held`. */
export async function secureEvents(log: SessionLogFile, writer: JournalWriter, held: Set<string>): Promise<Secured> {
  let group: StoredEvent[] = []
  const keys = new Set<string>()
  let events = 0
  let secured = 0
  const write = () => {
    if (group.length === 0) return
    writer.append(group)
    for (const key of keys) held.add(key)
    secured += group.length
    group = []
    keys.clear()
  }
  for await (const record of readRecords(log)) {
    if (record.kind !== 'ours') continue
    events += 1
    const key = eventKey(record.event)
    if (held.has(key) || keys.has(key)) continue
    keys.add(key)
    group.push(record.event)
    if (group.length >= GROUP) write()
  }
  write()
  return { events, secured }
}
