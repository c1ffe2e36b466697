import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A stored session log: `<root>/<project>/<session>/session.jsonl[.zstd]`. */
export interface SessionLogFile {
  readonly path: string
  readonly compression: 'zstd' | 'none'
  /** Size in bytes and modification time in milliseconds, as they were when it was listed. */
  readonly size: number
  readonly modified: number
}

/** The session logs below a root, project by project. A root that does not exist has none. */
export async function* listSessionLogs(root: string): AsyncGenerator<SessionLogFile> {
  for (const project of await folders(root)) {
    for (const session of await folders(join(root, project))) {
      for (const [name, compression] of [
        ['session.jsonl.zstd', 'zstd'],
        ['session.jsonl', 'none'],
      ] as const) {
        const path = join(root, project, session, name)
        const found = await stat(path).catch(() => undefined)
        if (found?.isFile()) yield { path, compression, size: found.size, modified: found.mtimeMs }
      }
    }
  }
}

async function folders(path: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // Nothing there: no entry, a plain file, or a link in a circle.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return []
    throw error
  })
  return entries
    .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
    .map(entry => entry.name)
    .sort()
}
