import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { listSessionLogs, type SessionLogFile } from '../roots.ts'

export interface SelectedLog extends SessionLogFile {
  readonly session: string
}

/**
 * The logs of the named sessions below these roots, or of all; each once, by its real path. Throws when a session is
 * named that is not there.
 */
export async function selectLogs(roots: readonly string[], sessions: readonly string[]): Promise<SelectedLog[]> {
  const logs = new Map<string, SelectedLog>()
  for (const root of roots) {
    for await (const log of listSessionLogs(root)) {
      const session = decodeSegment(basename(dirname(log.path)))
      if (sessions.length > 0 && !sessions.includes(session)) continue
      const path = await realpath(log.path)
      logs.set(path, { ...log, path, session })
    }
  }
  const found = [...logs.values()]
  const missing = sessions.filter(session => !found.some(log => log.session === session))
  if (missing.length > 0) throw new Error(`no session ${missing.join(', ')} below ${roots.join(', ')}`)
  return found
}

/** Hosts name a session's folder by its id, with `~` and four hex digits for what a name should not hold. */
function decodeSegment(name: string): string {
  return name.replace(/~([0-9A-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
