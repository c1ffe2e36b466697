/** Harness homes as a host leaves them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import type { StoredEvent } from '../../src/events/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { commit, recalled } from '../support/events.ts'
import { tempDir } from '../support/temp.ts'

export interface CliHome {
  readonly home: string
  readonly path: string
  readonly journal: string
  readonly sessions: string
}

export function emptyHome(): CliHome {
  const home = tempDir()
  const path = join(home, 'hologram', 'memory.db')
  return { home, path, journal: join(dirname(path), 'journal'), sessions: join(home, 'sessions') }
}

export const EVENTS: readonly StoredEvent[] = [
  commit(1, 'the staging port is 8080', { scene: 'deploy' }),
  commit(2, '测试环境的端口是 8080'),
  recalled(3, ['the staging port is 8080']),
  commit(4, 'the staging port is 9090'),
]

interface LogOptions {
  readonly compression?: 'zstd' | 'none'
  /** The format version its header claims. */
  readonly version?: number
}

/** Writes a session log with our events in it, as one zstd frame or as plain lines. */
export function writeLog(home: CliHome, id: string, events: readonly StoredEvent[], options: LogOptions = {}): string {
  const { compression = 'zstd', version = 0 } = options
  const records = [
    { type: 'session', version, id, createdAt: 1, delegationDepth: 0 },
    ...events.map(({ type, data }, seq) => ({ type, seq, time: 1, ignorable: true, data })),
  ]
  const text = records.map(record => `${JSON.stringify(record)}\n`).join('')
  const name = compression === 'zstd' ? 'session.jsonl.zstd' : 'session.jsonl'
  const path = join(home.sessions, '--project--', id, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, compression === 'zstd' ? zstdCompressSync(text) : text)
  return path
}

/** A home whose session log, journal and database hold the same events. */
export async function livedIn(options: LogOptions = {}): Promise<CliHome> {
  const home = emptyHome()
  writeLog(home, 's1', EVENTS, options)
  const store = new Store({ path: home.path, journal: home.journal })
  store.fold(EVENTS.map((event, seq) => ({ ...event, seq })))
  await store.catchUp([home.sessions])
  store.close()
  return home
}
