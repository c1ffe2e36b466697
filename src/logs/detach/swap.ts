import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backUp } from './backup.ts'
import { assertUnchanged, type FileIdentity, identify } from './file-identity.ts'
import { Refusal } from './refusal.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * Puts the copy in the place of the log. The log keeps its bytes under the name of the backup, which is durable before
 * the one rename that swaps: at every moment there is a whole log under the log's name. Returns the backup.
 */
export function swapIn(copy: string, log: FileIdentity): string {
  const folder = dirname(log.path)
  const proven = identify(copy)
  const backup = backUp(log)
  try {
    syncFolder(folder)
    assertUnchanged(log)
    renameSync(copy, log.path)
  } catch (error) {
    if (backup.made) rmSync(backup.path, { force: true })
    throw error
  }
  // A host that wrote between the last look and the rename wrote to what is the backup now.
  if (identify(backup.path).stats.size !== log.stats.size) undo(backup.path, proven, log)
  syncFolder(folder)
  return backup.path
}

function undo(backup: string, copy: FileIdentity, log: FileIdentity): never {
  try {
    assertUnchanged(copy, log.path)
  } catch {
    throw new Refusal(`a host wrote to it during the swap, before and after; what it was is in ${backup}`)
  }
  renameSync(backup, log.path)
  syncFolder(dirname(log.path))
  throw new Refusal('a host wrote to it during the swap, which was undone')
}
