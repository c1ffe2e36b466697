import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made = new Set<string>()
let armed = false

/** A fresh temporary directory (real path: the host compares real paths). Removed at process exit, or sooner by hand. */
export function tempDir(prefix = 'dsh-hologram-'): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  made.add(dir)
  if (!armed) {
    armed = true
    // a failing test must not leave its directory behind, so cleanup does not depend on anybody calling it
    process.once('exit', removeTempDirs)
  }
  return dir
}

/** Remove every directory made so far; for an `afterEach` or `afterAll`. */
export function removeTempDirs(): void {
  for (const dir of made) rmSync(dir, { recursive: true, force: true })
  made.clear()
}
