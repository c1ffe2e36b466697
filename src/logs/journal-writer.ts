import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
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

/** A stream that has grown to this is left, and another begun. Bytes. */
const MAX_STREAM = 64 << 20

/**
 * Appends to one journal stream at a time. A process writes streams of its own, so nobody cuts or interleaves another's
 * lines. Synchronous: it belongs in the worker. What `append` returned from is on disk; if it throws, nothing was written.
 */
export class JournalWriter {
  private current: string
  private fd: number | undefined

  /** The file is made at the first append. An existing stream is continued after its last whole line. */
  constructor(path: string) {
    this.current = path
  }

  /** A stream of its own name in a folder. */
  static inFolder(folder: string): JournalWriter {
    return new JournalWriter(newStream(folder))
  }

  /** The stream that is written now. */
  get path(): string {
    return this.current
  }

  /** Writes the events as one group with one fsync. */
  append(events: readonly StoredEvent[]): Span {
    for (;;) {
      const span = this.write(events)
      // Whoever packs streams first renames them: what was written before that is packed, what was not is written anew.
      const inPlace = this.isInPlace()
      if (!inPlace || span.end >= MAX_STREAM) this.leave()
      if (inPlace) return span
    }
  }

  private write(events: readonly StoredEvent[]): Span {
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

  private isInPlace(): boolean {
    if (this.fd === undefined) return false
    const there = statSync(this.current, { throwIfNoEntry: false })
    const ours = fstatSync(this.fd)
    return there !== undefined && there.ino === ours.ino && there.dev === ours.dev
  }

  /** Ends this stream; the next append begins another. */
  private leave(): void {
    this.close()
    this.current = newStream(dirname(this.current))
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
    const folder = dirname(this.current)
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    const fd = openSync(this.current, 'a+', FILE_MODE)
    // Without this the stream's name could be lost with the power, and its acknowledged lines with it.
    syncFolder(folder)
    mendTail(fd)
    this.fd = fd
    return fd
  }
}

function newStream(folder: string): string {
  return join(folder, `${ulid()}.jsonl`)
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
