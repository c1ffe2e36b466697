import { type BigIntStats, statSync } from 'node:fs'
import { Refusal } from './refusal.ts'

/** What tells that a file is the one that was read, and unchanged since. Its link count and change time may differ. */
export interface FileIdentity {
  readonly path: string
  readonly stats: BigIntStats
}

export function identify(path: string): FileIdentity {
  return { path, stats: statSync(path, { bigint: true }) }
}

/** Throws a `Refusal` when something else is at the path of the file by now, or it was written to. */
export function assertUnchanged({ path, stats }: FileIdentity, at = path): void {
  const now = statSync(at, { bigint: true, throwIfNoEntry: false })
  const same =
    now !== undefined &&
    now.dev === stats.dev &&
    now.ino === stats.ino &&
    now.size === stats.size &&
    now.mtimeNs === stats.mtimeNs
  if (!same) throw new Refusal('it changed while it was worked on: a host is using it')
}
