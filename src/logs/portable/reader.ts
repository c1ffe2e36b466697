import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { StoredEvent } from '../../events/index.ts'
import { decodeLine } from '../journal-line.ts'
import { type Line, splitLines, TOO_LONG } from '../lines.ts'
import { PortableJournalError } from './error.ts'
import { decodeHeader, encodeTrailer, TRAILER_START } from './format.ts'

/**
 * The events of a portable journal, streamed. Throws `PortableJournalError` at the first thing wrong with it, and that
 * may be its last line: who must not act on part of a damaged file reads it twice, through one open handle.
 */
export async function* readPortable(file: FileHandle): AsyncGenerator<StoredEvent> {
  const hash = createHash('sha256')
  let expected: number | undefined
  let events = 0
  let ended = false
  for await (const line of splitLines(file.createReadStream({ start: 0, autoClose: false }))) {
    if (line.tooLong) throw new PortableJournalError(`at byte ${line.offset}: ${TOO_LONG}`)
    if (ended) throw new PortableJournalError(`it goes on after its last line, at byte ${line.offset}`)
    if (expected === undefined) {
      expected = eventsOf(line)
    } else if (line.bytes.subarray(0, TRAILER_START.length).equals(TRAILER_START)) {
      const trailer = encodeTrailer(events, hash.copy().digest('hex'))
      if (!line.complete || events !== expected || `${line.bytes.toString('latin1')}\n` !== trailer) {
        throw new PortableJournalError(
          `its last line does not agree with what is before it: it was damaged, or lines are missing`,
        )
      }
      ended = true
    } else {
      const decoded = decodeLine(line.bytes)
      if ('reason' in decoded) throw new PortableJournalError(`at byte ${line.offset}: ${decoded.reason}`)
      events += 1
      yield decoded
    }
    hash.update(line.bytes).update('\n')
  }
  if (!ended) {
    throw new PortableJournalError(
      `it was cut off: ${events.toLocaleString('en')} of ${(expected ?? 0).toLocaleString('en')} events and no last line`,
    )
  }
}

/** How many events the first line announces. */
function eventsOf({ bytes, complete }: Line): number {
  const header = complete ? decodeHeader(bytes.toString('utf8')) : { kind: 'damaged' as const }
  switch (header.kind) {
    case 'header':
      return header.events
    case 'newer':
      throw new PortableJournalError(`it is of format version ${header.version}; a newer dsh-hologram made it`)
    case 'damaged':
      throw new PortableJournalError('its first line is damaged')
  }
}
