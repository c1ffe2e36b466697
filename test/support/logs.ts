/** Looking at stored sessions as a host without our plugin would, and at what is really on disk. */
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import {
  decodeStorageRecord,
  type SessionEvent,
  type SessionHeader,
  SessionId,
  SessionStore,
} from '@deepseek-ai/dsh-session'
import { type JsonlCompression, JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { bootHost } from './host.ts'
import { tempDir } from './temp.ts'

export { removeTempDirs, tempDir } from './temp.ts'

export type StockOpening =
  | { readonly ok: true; readonly header: SessionHeader; readonly events: readonly SessionEvent[] }
  | { readonly ok: false; readonly error: string }

/**
 * Can a stock host, without our plugin, resume this stored session? It works on a copy: resuming repairs and extends a
 * log, and the log under test must not change by being looked at.
 */
export async function stockOpen(root: string, compression: JsonlCompression, id: string): Promise<StockOpening> {
  const copy = join(tempDir(), 'sessions')
  cpSync(root, copy, { recursive: true })
  const host = await bootHost({ home: tempDir(), sessionsRoot: copy, compression })
  try {
    const agent = await host.resumeAgent(id)
    return { ok: true, header: agent.session.header, events: agent.session.events }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  } finally {
    await host.stop()
  }
}

/** The text of a stored log, header line first, even when a host would refuse to interpret it. */
export async function readStoredText(root: string, id: string): Promise<string> {
  const ctx = new Context()
  try {
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlSessionPersistence, { root, compression: storedCompression(root) })
    const raw = await ctx.sessionPersistence.readRaw(SessionId(id))
    if (raw === undefined) throw new Error(`no stored session "${id}" under ${root}`)
    return raw.content
  } finally {
    await ctx.fiber.dispose()
  }
}

/** The events of a stored log exactly as written (packed chunk rows undone), unknown types and marks included. */
export async function readStoredEvents(root: string, id: string): Promise<SessionEvent[]> {
  const [, ...lines] = (await readStoredText(root, id)).split('\n')
  return lines.filter(line => line !== '').flatMap(line => decodeStorageRecord(JSON.parse(line)))
}

/** Ids of all sessions under a root, read from the directory names. */
export function storedSessionIds(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root).flatMap(project => readdirSync(join(root, project)))
}

/** A root holds one physical form only; the host refuses a mixed one. */
export function storedCompression(root: string): JsonlCompression {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return files.some(file => file.endsWith('session.jsonl')) ? 'none' : 'zstd'
}
