import { createReadStream } from 'node:fs'
import { isOurs, readSaid, reasonOf, SAYING_TYPES, type Said, type StoredEvent } from '../events/index.ts'
import { splitLines, TOO_LONG } from './lines.ts'
import type { SessionLogFile } from './roots.ts'
import { readZstd } from './zstd-frames.ts'

/** What a reader came upon and could not use; it went on after it. */
export interface LogIssue {
  readonly path: string
  /** Offset of the line in the unpacked log, in bytes. */
  readonly offset: number
  readonly reason: string
  /** What follows could not be read. */
  readonly unread?: true
}

export type LogItem =
  | {
      readonly kind: 'event'
      readonly event: StoredEvent
      readonly offset: number
      /** In a session log, without the mark that lets a host without us pass it over. */
      readonly unmarked?: true
    }
  | { readonly kind: 'issue'; readonly issue: LogIssue }

/** Is told what else a log says, before the events that follow it are yielded. */
export interface LogListener {
  /** The session's id, from the first line. */
  onSession(id: string): void
  onSaid(record: Said): void
}

/** How far into a line its type stands, in bytes. */
const TYPE_WITHIN = 256
const SAYING = SAYING_TYPES.map(type => Buffer.from(`"${type}"`))

/** Every line of ours holds this; no other line has to be parsed. */
const OURS = Buffer.from('hologram/')

/**
 * Our events in a stored session log, in log order, streamed. Needs no host and asks nothing of the rest of the log, so
 * it also reads logs that a host refuses. Lines of others are not parsed; a line of ours that cannot be read, and a damaged
 * frame, are issues, and reading goes on after them. A last line without its line end is left out, even a whole one: a
 * host that opens the log cuts it and gives its seq to another event.
 */
export async function* readSessionLog(
  log: Pick<SessionLogFile, 'path' | 'compression'>,
  listen?: LogListener,
): AsyncGenerator<LogItem> {
  const { path } = log
  const damage: string[] = []
  const chunks: AsyncIterable<Buffer> =
    log.compression === 'zstd' ? readZstd(path, reason => damage.push(reason)) : createReadStream(path)
  let offset = 0
  const issue = (reason: string): LogItem => ({ kind: 'issue', issue: { path, offset, reason } })
  try {
    for await (const line of splitLines(chunks)) {
      ;({ offset } = line)
      for (const reason of damage.splice(0)) yield issue(reason)
      if (!line.complete) continue
      if (line.tooLong) {
        yield issue(TOO_LONG)
        continue
      }
      if (listen !== undefined) hear(line.bytes, offset, listen)
      if (!line.bytes.includes(OURS)) continue
      const record = parse(line.bytes)
      if (record === undefined) {
        yield issue('a line of ours is not valid JSON')
        continue
      }
      if (!isOurs(record.type)) continue
      const seq = typeof record.seq === 'number' ? record.seq : undefined
      const event = { type: record.type, data: record.data, seq }
      yield { kind: 'event', event, offset, ...(record.ignorable === true ? {} : { unmarked: true as const }) }
    }
  } catch (error) {
    yield issue(reasonOf(error))
  }
  for (const reason of damage.splice(0)) yield issue(reason)
}

/** Tells the listener of a line, if it is the header or says something. Other lines are not parsed. */
function hear(bytes: Buffer, offset: number, listen: LogListener): void {
  const head = bytes.subarray(0, TYPE_WITHIN)
  if (offset === 0) {
    const header = parse(bytes)
    if (header?.type === 'session' && typeof header.id === 'string') listen.onSession(header.id)
    return
  }
  if (!SAYING.some(type => head.includes(type))) return
  const said = readSaid(parse(bytes))
  if (said !== undefined) listen.onSaid(said)
}

function parse(bytes: Buffer): { [Key in 'type' | 'id' | 'seq' | 'data' | 'ignorable']?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return undefined
  }
}
