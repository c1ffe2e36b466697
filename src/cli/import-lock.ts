import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './options.ts'

const LOCK = 'import.lock'

/**
 * Runs while no other process imports an old database into the same journal. Both would give the same rows the same event
 * ids and clocks of their own, and one id must not stand for two events. Hosts need not wait: nobody else makes such ids.
 */
export async function whileAlone<T>(journal: string, run: () => Promise<T>): Promise<T> {
  mkdirSync(journal, { recursive: true, mode: 0o700 })
  const path = join(journal, LOCK)
  hold(path)
  try {
    return await run()
  } finally {
    rmSync(path, { force: true })
  }
}

function hold(path: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const fd = openSync(path, 'wx', 0o600)
      writeSync(fd, String(process.pid))
      closeSync(fd)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      // A process that was killed left it.
      if (isAbandoned(path)) rmSync(path, { force: true })
    }
  }
  throw new UsageError(`another import is at work; wait for its end, or remove ${path} when there is none`)
}

function isAbandoned(path: string): boolean {
  try {
    process.kill(Number.parseInt(readFileSync(path, 'utf8'), 10), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
