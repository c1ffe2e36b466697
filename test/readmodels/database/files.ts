/** Database files to be opened: what is in them byte by byte, and what lies beside them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { commit, recalled } from '../../support/events.ts'
import { tempDir } from '../../support/temp.ts'

export function tempPath(): string {
  return join(tempDir(), 'hologram', 'memory.db')
}

/** A store beside the database; its journal is the folder beside it. */
export function openStore(path: string): Store {
  return new Store({ path, journal: join(dirname(path), 'journal') })
}

export const EVENTS = [
  ...Array.from({ length: 60 }, (_, n) => commit(n + 1, `fact number ${n}: port ${8_000 + n} ${'words '.repeat(20)}`)),
  recalled(100, ['fact number 1']),
]

/** A closed database with enough in it to have many pages. */
export function filledDatabase(): string {
  const path = tempPath()
  const store = openStore(path)
  store.fold(EVENTS)
  store.close()
  return path
}

/** Everything in a database's folder but the journal, by name. */
export function bytesBeside(path: string): Map<string, Buffer> {
  const folder = dirname(path)
  const names = readdirSync(folder).filter(name => name !== 'journal')
  return new Map(names.sort().map(name => [name, readFileSync(join(folder, name))]))
}

/** Paths of databases that were moved aside, without their WAL and shm. */
export function movedAside(path: string): string[] {
  return readdirSync(dirname(path))
    .filter(name => name.startsWith(`${basename(path)}.corrupt-`) && !/-(wal|shm)$/.test(name))
    .map(name => join(dirname(path), name))
}

export function mode(path: string): number {
  return statSync(path).mode & 0o777
}

export { existsSync }
