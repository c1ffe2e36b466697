import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const MARK = '.detaching-'

/** The name under which this process writes its copy of a log, and the end of those that dead processes left there. */
export function scratchFile(log: string): string {
  const folder = dirname(log)
  const prefix = `${basename(log)}${MARK}`
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) rmSync(join(folder, name))
  }
  return `${log}${MARK}${process.pid}`
}

function isAlive(pid: number): boolean {
  // A name of our own is left over from a process that had our number.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
