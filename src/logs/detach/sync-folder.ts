import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  let fd: number
  try {
    fd = openSync(folder, 'r')
  } catch {
    // Windows cannot open a folder; its file systems journal names themselves.
    return
  }
  try {
    fsyncSync(fd)
  } catch {
    // Some network file systems do not sync folders.
  } finally {
    closeSync(fd)
  }
}
