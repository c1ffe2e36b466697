import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ulid } from 'ulid'
import type { StoredEvent } from '../events/index.ts'
import { decodeLine, encodeLine } from './journal-line.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const NEWLINE = 10

/** Where a group of lines stands in its stream, in bytes. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Appends to one journal stream. A process writes a stream of its own, so nobody cuts or interleaves another's lines.
 * Synchronous: it belongs in the worker. What `append` returned from is on disk; if it throws, nothing was written.
 */
export class JournalWriter {
  readonly path: string
  private fd: number | undefined

  /** The file is made at the first append. An existing stream is continued after its last whole line. */
  constructor(path: string) {
    this.path = path
  }

  /** A stream of its own name in a folder. */
  static inFolder(folder: string): JournalWriter {
    return new JournalWriter(join(folder, `${ulid()}.jsonl`))
  }

  /** Writes the events as one group with one fsync. */
  append(events: readonly StoredEvent[]): Span {
    const fd = this.open()
    const start = fstatSync(fd).size
    const bytes = Buffer.from(events.map(encodeLine).join(''), 'utf8')
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(fd, bytes, written, bytes.length - written, start + written)
      }
      fsyncSync(fd)
    } catch (error) {
      // A half-written group must not be acknowledged, nor be in the way of the next one.
      this.takeBack(fd, start)
      throw error
    }
    return { start, end: start + bytes.length }
  }

  close(): void {
    if (this.fd === undefined) return
    const { fd } = this
    this.fd = undefined
    closeSync(fd)
  }

  private takeBack(fd: number, start: number): void {
    try {
      ftruncateSync(fd, start)
    } catch {
      // A disk that refuses this too leaves a torn tail, which opening the stream again mends.
      this.close()
    }
  }

  private open(): number {
    if (this.fd !== undefined) return this.fd
    const folder = dirname(this.path)
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    const fd = openSync(this.path, 'a+', FILE_MODE)
    // Without this the stream's name could be lost with the power, and its acknowledged lines with it.
    syncFolder(folder)
    mendTail(fd)
    this.fd = fd
    return fd
  }
}

/** Cuts a torn last line; a whole one that only lacks its line end gets it. */
function mendTail(fd: number): void {
  const { size } = fstatSync(fd)
  const chunk = Buffer.alloc(64 << 10)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length)
    const read = readSync(fd, chunk, 0, end - start, start)
    const at = chunk.subarray(0, read).lastIndexOf(NEWLINE)
    if (at >= 0 || start === 0) {
      const lastLine = at >= 0 ? start + at + 1 : 0
      if (lastLine < size && !completeTail(fd, lastLine, size)) ftruncateSync(fd, lastLine)
      return
    }
    end = start
  }
}

function completeTail(fd: number, start: number, size: number): boolean {
  const bytes = Buffer.alloc(size - start)
  readSync(fd, bytes, 0, bytes.length, start)
  if ('reason' in decodeLine(bytes)) return false
  writeSync(fd, '\n', size)
  return true
}

function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Windows cannot open a folder; its file systems journal names themselves.
  }
}
