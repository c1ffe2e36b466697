import { chmodSync, copyFileSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LegacyDatabaseError } from './errors.ts'

/**
 * The file and what a crash may have left beside it: commits that are not in the file yet (`-wal`), or a transaction to be
 * undone (`-journal`). The shared memory (`-shm`) is made anew from the WAL.
 */
const PARTS = ['', '-wal', '-journal'] as const
const ATTEMPTS = 3

export interface PrivateCopy {
  readonly path: string
  dispose(): void
}

/**
 * Copies a database into a temporary folder of this user's alone. SQLite opens only the copy: even to read, it would
 * recover a left-over WAL and make files beside a database, and the source stays as it is, byte for byte. A source that
 * changes while it is copied is in use, and refused.
 */
export function privateCopy(path: string): PrivateCopy {
  // SQLite names WAL and journal after the file itself, not after a link to it.
  const source = realpathSync(path)
  const folder = mkdtempSync(join(tmpdir(), 'dsh-hologram-import-'))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  const copy = join(folder, 'memory.db')
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = fingerprint(source)
      copyParts(source, copy)
      if (fingerprint(source) === before) return { path: copy, dispose }
    }
  } catch (error) {
    dispose()
    throw error
  }
  dispose()
  throw new LegacyDatabaseError(
    'in_use',
    `${path} changes while it is read; end the program that writes to it, and import it then`,
  )
}

function copyParts(source: string, copy: string): void {
  for (const part of PARTS) {
    rmSync(copy + part, { force: true })
    if (!exists(source + part)) continue
    copyFileSync(source + part, copy + part)
    chmodSync(copy + part, 0o600)
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function fingerprint(source: string): string {
  return PARTS.map(part => {
    const found = statSync(source + part, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? '-' : `${found.ino} ${found.size} ${found.mtimeNs}`
  }).join('|')
}
