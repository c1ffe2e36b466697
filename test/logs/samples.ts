/** Writing logs and journals byte by byte, and reading all of one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import type { StoredEvent } from '../../src/events/index.ts'
import { type LogItem, readSessionLog, readStream } from '../../src/logs/index.ts'
import { tempDir } from '../support/temp.ts'

/** An event as a log holds it; `n` tells it from others. */
export function stored(n: number, extra: object = {}): StoredEvent & { readonly seq: number } {
  return { type: 'hologram/commit', seq: n, data: { n, text: `端口 ${n} 😀 "quoted"\n`, ...extra } }
}

export function sessionLine(event: object): string {
  return `${JSON.stringify({ time: 1, ignorable: true, ...event })}\n`
}

export const HEADER = sessionLine({ type: 'session', version: 0, id: 's', createdAt: 1, delegationDepth: 0 })

/** One frame as the host writes it, with a checksum. */
export function frame(text: string | Buffer): Buffer {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

export interface Read {
  readonly events: readonly StoredEvent[]
  readonly issues: ReadonlyArray<{ readonly offset: number; readonly reason: string }>
}

export function eventsIn(items: readonly LogItem[]): StoredEvent[] {
  return items.flatMap(item => (item.kind === 'event' ? [item.event] : []))
}

function sorted(items: readonly LogItem[]): Read {
  const issues = items.flatMap(item => (item.kind === 'issue' ? [item.issue] : []))
  return { events: eventsIn(items), issues: issues.map(({ offset, reason }) => ({ offset, reason })) }
}

/** What the session log reader makes of these bytes. */
export async function readBytes(bytes: string | Buffer, compression: 'zstd' | 'none' = 'none'): Promise<Read> {
  const path = join(tempDir(), compression === 'zstd' ? 'session.jsonl.zstd' : 'session.jsonl')
  writeFileSync(path, bytes)
  return readLog(path, compression)
}

export async function readLog(path: string, compression: 'zstd' | 'none'): Promise<Read> {
  return sorted(await collect(readSessionLog({ path, compression })))
}

export async function readJournal(path: string, from = 0): Promise<Read> {
  return sorted(await collect(readStream(path, from)))
}
