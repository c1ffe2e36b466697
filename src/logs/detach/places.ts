import { mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

export const COPY_SUFFIX = '.detached'

/** Where the copy of a log goes: beside it, or to the same place below another root, which a host can then open. */
export function copyPath(log: string, out: string | undefined): string {
  if (out === undefined) return `${log}${COPY_SUFFIX}`
  const session = dirname(log)
  const folder = join(out, basename(dirname(session)), basename(session))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, basename(log))
}

/** Throws when copies would land among the logs they are made from. */
export function assertApart(out: string, roots: readonly string[]): void {
  mkdirSync(out, { recursive: true, mode: 0o700 })
  const target = realpathSync(out)
  for (const root of roots) {
    const from = relative(real(root), target)
    if (from === '' || (from !== '..' && !from.startsWith(`..${sep}`) && resolve(from) !== from)) {
      throw new Error(`${out} is within the session folder ${root}; name one outside of it`)
    }
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
