import type { SessionLogFile } from '../roots.ts'
import { eventKey } from './event-key.ts'
import { noopLine } from './noop.ts'
import { type LogRecord, readRecords } from './records.ts'
import { Refusal } from './refusal.ts'

/** What was found in a copy. */
export interface Proof {
  /** Lines, header included; all but the replaced ones are byte-identical. */
  readonly lines: number
  readonly replaced: number
}

/**
 * Reads log and copy again, side by side. In the copy, every line is the log's byte for byte, or where the log has one of
 * ours the no-op at the same seq and time; seqs count up without a gap (that is how it is read) and no event bears a name
 * of ours; and the journal holds each event that was taken out. Throws a `Refusal` otherwise.
 */
export async function proveCopy(log: SessionLogFile, copy: string, held: ReadonlySet<string>): Promise<Proof> {
  const copied = readRecords({ path: copy, compression: log.compression })
  let lines = 0
  let replaced = 0
  try {
    for await (const record of readRecords(log)) {
      lines += 1
      const next = await copied.next()
      if (next.done) throw new Refusal(`the copy ends before line ${lines}`)
      if (next.value.kind === 'ours') throw new Refusal(`the copy holds an event of ours in line ${lines}`)
      if (!next.value.bytes.equals(expected(record))) throw new Refusal(`the copy differs in line ${lines}`)
      if (record.kind !== 'ours') continue
      replaced += 1
      if (!held.has(eventKey(record.event))) {
        throw new Refusal(`the journal does not hold the event at seq ${record.event.seq}`)
      }
    }
    if (!(await copied.next()).done) throw new Refusal(`the copy goes on after line ${lines}`)
  } finally {
    await copied.return(undefined)
  }
  return { lines, replaced }
}

function expected(record: LogRecord): Buffer {
  return record.kind === 'ours' ? Buffer.from(noopLine(record.event.seq, record.time)) : record.bytes
}
