import { closeSync, constants, copyFileSync, fsyncSync, linkSync, openSync, renameSync, statSync } from 'node:fs'
import type { FileIdentity } from './file-identity.ts'

const BACKUP_SUFFIX = '.before-detach'

export interface Backup {
  readonly path: string
  /** False when an earlier run, ended before its swap, had made it. */
  readonly made: boolean
}

/**
 * Gives the log a second name. An earlier backup is never written over: it may be all that is left of what a user wants
 * back.
 */
export function backUp(log: FileIdentity): Backup {
  for (let n = 1; ; n++) {
    const path = `${log.path}${BACKUP_SUFFIX}${n === 1 ? '' : `.${n}`}`
    const there = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (there?.ino === log.stats.ino && there.dev === log.stats.dev) return { path, made: false }
    if (there !== undefined) continue
    linkOrCopy(log.path, path)
    return { path, made: true }
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
    return
  } catch {
    // Some file systems have no hard links.
  }
  const partial = `${to}.partial`
  copyFileSync(from, partial, constants.COPYFILE_FICLONE)
  const fd = openSync(partial, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(partial, to)
}
