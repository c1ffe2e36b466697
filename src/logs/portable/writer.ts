import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { encodeHeader, encodeTrailer } from './format.ts'

const FILE_MODE = 0o600
/** Bytes gathered for one write. */
const GROUP = 256 << 10

/**
 * Writes a portable journal of so many event lines under a name of its own, and gives it its name when it is whole and on
 * disk. Throws with code `EEXIST` for a name that is taken; whatever is thrown, nothing is left behind.
 */
export function writePortable(path: string, events: number, lines: Iterable<Buffer>): { readonly bytes: number } {
  const partial = `${path}.${process.pid}.partial`
  try {
    const fd = openSync(partial, 'wx', FILE_MODE)
    let bytes: number
    try {
      bytes = writeAll(fd, events, lines)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    giveName(partial, path)
    return { bytes }
  } finally {
    rmSync(partial, { force: true })
  }
}

function writeAll(fd: number, events: number, lines: Iterable<Buffer>): number {
  const hash = createHash('sha256')
  let group: Buffer[] = []
  let gathered = 0
  let total = 0
  const flush = () => {
    const bytes = Buffer.concat(group)
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written)
    total += bytes.length
    group = []
    gathered = 0
  }
  const put = (bytes: Buffer) => {
    group.push(bytes)
    gathered += bytes.length
    if (gathered >= GROUP) flush()
  }
  const header = Buffer.from(encodeHeader(events))
  hash.update(header)
  put(header)
  for (const line of lines) {
    hash.update(line)
    put(line)
  }
  put(Buffer.from(encodeTrailer(events, hash.digest('hex'))))
  flush()
  return total
}

/** A second name for a file is refused where the name is taken; renaming would replace what has it. */
function giveName(partial: string, path: string): void {
  try {
    linkSync(partial, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) {
      throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' })
    }
    // Some file systems have no second names.
    renameSync(partial, path)
  }
}
