import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { compareOrder, type Order, type StoredEvent } from '../../events/index.ts'
import { encodeLine } from '../journal-line.ts'

interface Entry extends Order {
  /** Where its line stands, and how long it is, in bytes. */
  readonly at: number
  readonly length: number
}

/**
 * Brings events into event order without holding them: their lines go to a file, and only id, clock and place stay in
 * memory, some 200 bytes an event. The file holds memory in the clear, so it is this user's alone and loses its name
 * at once where the system lets an open file do so: a process that is killed leaves nothing.
 */
export class EventSpool {
  private readonly path: string
  private readonly fd: number
  private readonly ids = new Set<string>()
  private readonly entries: Entry[] = []
  private size = 0

  constructor(path: string) {
    this.path = path
    this.fd = openSync(path, 'wx+', 0o600)
    this.forget()
  }

  get count(): number {
    return this.entries.length
  }

  /** Takes an event in; false when one of its id is in already. */
  add({ id, clock }: Order, event: StoredEvent): boolean {
    if (this.ids.has(id)) return false
    const bytes = Buffer.from(encodeLine(event), 'utf8')
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.fd, bytes, written, bytes.length - written, this.size + written)
    }
    this.ids.add(id)
    this.entries.push({ id, clock, at: this.size, length: bytes.length })
    this.size += bytes.length
    return true
  }

  /** The lines in event order, line ends included. */
  *lines(): Generator<Buffer> {
    for (const { at, length } of this.entries.sort(compareOrder)) {
      const bytes = Buffer.alloc(length)
      for (let read = 0; read < length; ) {
        const got = readSync(this.fd, bytes, read, length - read, at + read)
        if (got === 0) throw new Error(`${this.path} lost its end while it was in use`)
        read += got
      }
      yield bytes
    }
  }

  close(): void {
    closeSync(this.fd)
    this.forget()
  }

  private forget(): void {
    try {
      rmSync(this.path, { force: true })
    } catch {
      // Some systems keep the name of a file as long as it is open; `close` comes by here again.
    }
  }
}
