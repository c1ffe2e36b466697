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

/** Tells of a folder that could not be listed; what is below it is left out. */
export type Unreadable = (path: string, reason: string) => void

/** The session logs below a root, project by project. A root that does not exist has none. */
export async function* listSessionLogs(
  root: string,
  unreadable: Unreadable = () => {},
): AsyncGenerator<SessionLogFile> {
  for (const project of await folders(root, unreadable)) {
    for (const session of await folders(join(root, project), unreadable)) {
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

async function folders(path: string, unreadable: Unreadable): Promise<string[]> {
  const entries: Dirent[] = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // Nothing there: no entry, a plain file, or a link in a circle.
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR' && error.code !== 'ELOOP') unreadable(path, error.message)
    return []
  })
  return entries
    .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
    .map(entry => entry.name)
    .sort()
}
