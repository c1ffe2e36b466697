import { closeSync, openSync, readSync } from 'node:fs'

/** What the beginning of a file shows it to be. */
export type FileKind = 'portable' | 'journal stream' | 'sqlite' | 'empty' | 'foreign'

const SQLITE = 'SQLite format 3\0'
const PORTABLE = /^\{"crc":"[0-9a-f]{8}","portable":/
const STREAM = /^\{"crc":"[0-9a-f]{8}","event":/
/** Enough of a file to tell, in bytes. */
const HEAD = 64

/** Tells by content, never by name. Throws what opening or reading the file throws. */
export function sniff(path: string): FileKind {
  const bytes = Buffer.alloc(HEAD)
  const fd = openSync(path, 'r')
  try {
    const head = bytes.toString('latin1', 0, readSync(fd, bytes, 0, HEAD, 0))
    if (head === '') return 'empty'
    if (head.startsWith(SQLITE)) return 'sqlite'
    if (PORTABLE.test(head)) return 'portable'
    return STREAM.test(head) ? 'journal stream' : 'foreign'
  } finally {
    closeSync(fd)
  }
}
