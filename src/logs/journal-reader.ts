import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../events/index.ts'
import { decodeLine } from './journal-line.ts'
import { splitLines, TOO_LONG } from './lines.ts'
import type { LogItem } from './session-log.ts'

/** Ending of a stream that is being packed into another. */
export const SEALED = '.sealed'

const NEWLINE = 10

/** A journal stream: its name, path and present size in bytes. Sealing it changes its path, not its name. */
export interface JournalStream {
  readonly name: string
  readonly path: string
  readonly size: number
}

/** The streams of a journal folder, oldest first. A folder that does not exist has none. */
export async function listStreams(folder: string): Promise<JournalStream[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const streams: JournalStream[] = []
  for (const file of names.filter(entry => entry.endsWith('.jsonl') || entry.endsWith(`.jsonl${SEALED}`)).sort()) {
    const path = join(folder, file)
    const name = file.endsWith(SEALED) ? file.slice(0, -SEALED.length) : file
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) streams.push({ name, path, size: found.size })
  }
  return streams
}

/**
 * Whether a line starts at an offset, in bytes. It need not in a stream that was cut there, or sooner, and grew again. A
 * last line that was read without its line end is followed by that.
 */
export async function startsLine(path: string, offset: number): Promise<boolean> {
  const file = offset === 0 ? undefined : await open(path, 'r').catch(() => undefined)
  // What cannot be read is for the reader to report.
  if (file === undefined) return true
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, offset - 1)
    return buffer.subarray(0, bytesRead).includes(NEWLINE)
  } finally {
    await file.close()
  }
}

/** One journal item and the offset to go on from after it, in bytes. */
export type JournalItem = LogItem & { readonly next: number }

/**
 * The events of a stream from an offset on, streamed. A bad line in the middle is an issue with its offset, and reading
 * goes on after it, since every line has a checksum of its own. A last line without its line end counts when it is
 * whole; a torn one is left for later, because its writer may be at it.
 * A stream that cannot be read, or no further, is an issue too.
 */
export async function* readStream(path: string, from = 0): AsyncGenerator<JournalItem> {
  let reached = from
  try {
    for await (const line of splitLines(createReadStream(path, { start: from }), from)) {
      const { offset, next } = line
      if (line.tooLong && line.complete) yield { kind: 'issue', issue: { path, offset, reason: TOO_LONG }, next }
      if (line.bytes.length > 0) {
        const decoded = decodeLine(line.bytes)
        if (!('reason' in decoded)) yield { kind: 'event', event: decoded, offset, next }
        else if (line.complete) yield { kind: 'issue', issue: { path, offset, reason: decoded.reason }, next }
      }
      reached = next
    }
  } catch (error) {
    // Packed into another stream since it was listed; that one is read in its turn.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    const reason = reasonOf(error)
    yield { kind: 'issue', issue: { path, offset: reached, reason, unread: true }, next: reached }
  }
}
