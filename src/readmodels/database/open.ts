import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { VOCABULARY } from '../../events/index.ts'
import { DatabaseRefusedError, isBusy, isCorrupt, sqliteCode } from './errors.ts'
import { checkSchema, migrate } from './migrate.ts'

/** How long SQLite itself waits for a lock, in milliseconds; longer waits are the write queue's, which blocks nobody. */
const BUSY_TIMEOUT_MS = 250
/** How long opening waits for another process that makes, mends or opens the file, in milliseconds. */
const OPEN_WAIT_MS = 3_000
const OPEN_RETRY_MS = 20

/** Size to which the WAL is cut back after a checkpoint, in bytes. */
const WAL_LIMIT = 16 << 20
/** The WAL is carried over into the file when it has this many pages: pages that every commit touches are carried once. */
const WAL_PAGES = WAL_LIMIT / 4096

export interface OpenedDatabase {
  readonly db: Database.Database
  /** Where a corrupt file was moved, if there was one. The new file is empty and wants a rebuild. */
  readonly movedAside: string | undefined
}

/**
 * Opens the read model's file, making it if needed; `:memory:` is private to the caller.
 *
 * @param wait how long to wait for another process that has it locked, in milliseconds
 */
export function openDatabase(path: string, wait = OPEN_WAIT_MS): OpenedDatabase {
  try {
    return { db: openWhenFree(path, wait), movedAside: undefined }
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const movedAside = moveAside(path)
    return { db: openWhenFree(path, wait), movedAside }
  }
}

/**
 * Opens an existing file to be looked at: nothing is made, mended, migrated or moved aside.
 *
 * @throws DatabaseRefusedError when there is none, or it cannot be used
 */
export function openReadOnly(path: string): Database.Database {
  if (!existsSync(path)) {
    throw new DatabaseRefusedError('missing', `there is no database at ${path}; \`dsh-hologram rebuild\` makes it.`)
  }
  let db: Database.Database | undefined
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
    checkSchema(db, path)
    return db
  } catch (error) {
    db?.close()
    throw isCorrupt(error) ? damaged(path) : (unwritable(error, path) ?? error)
  }
}

export function damaged(path: string): DatabaseRefusedError {
  return new DatabaseRefusedError(
    'damaged',
    `${path} is damaged; it was left alone. \`dsh-hologram rebuild\` moves it aside and fills a new one.`,
  )
}

/** Which file is at a path now; undefined when there is none. */
export function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** Whether the whole file is sound. Reads all of it. */
export function isSound(db: Database.Database): boolean {
  try {
    return db.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}

/** Moves a database with its WAL and shared memory out of the way, keeping all three. Returns the new path. */
export function moveAside(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  let target = `${path}.corrupt-${stamp}`
  while (existsSync(target)) target += '+'
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix)
  }
  return target
}

/** SQLite's own busy timeout does not cover the change to WAL nor the mending of one left behind. */
function openWhenFree(path: string, wait: number): Database.Database {
  const until = performance.now() + wait
  for (;;) {
    try {
      return openAndMigrate(path)
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS)
  }
}

function openAndMigrate(path: string): Database.Database {
  let db: Database.Database | undefined
  try {
    if (path !== ':memory:') makePrivate(path)
    db = new Database(path, { timeout: BUSY_TIMEOUT_MS })
    // Takes effect in a new file only; elsewhere it changes nothing.
    if (isNew(db)) db.pragma('auto_vacuum = INCREMENTAL')
    // Looks at the file before anything is written to it: the journal mode of another application's file stays.
    migrate(db, path)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.pragma('temp_store = MEMORY')
    db.pragma('secure_delete = ON')
    rereadForNewVocabulary(db)
    db.pragma(`journal_size_limit = ${WAL_LIMIT}`)
    db.pragma(`wal_autocheckpoint = ${WAL_PAGES}`)
    return db
  } catch (error) {
    db?.close()
    throw unwritable(error, path) ?? error
  }
}

function isNew(db: Database.Database): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
}

/**
 * Events of a verb or version that was not known when they were read were passed over. With another vocabulary everything
 * is read once more; what is known by id costs little.
 */
function rereadForNewVocabulary(db: Database.Database): void {
  const known = db.prepare("SELECT value FROM meta WHERE key = 'vocabulary'").pluck()
  if (known.get() === VOCABULARY) return
  db.transaction(() => {
    if (known.get() === VOCABULARY) return
    db.exec('DELETE FROM sessions; DELETE FROM journal_streams')
    db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('vocabulary', ?)").run(VOCABULARY)
  }).immediate()
}

/** The file, and the folder if it has to be made, are the user's alone; SQLite gives WAL and shm the file's mode. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // One that is there is not opened here: closing it would end the locks SQLite may hold on it in this process.
  if (existsSync(path)) accessSync(path, constants.W_OK)
  else closeSync(openSync(path, 'a', 0o600))
}

function unwritable(error: unknown, path: string): DatabaseRefusedError | undefined {
  const code = sqliteCode(error) || String((error as NodeJS.ErrnoException).code ?? '')
  if (!/^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS|EISDIR|ENOTDIR|EEXIST|ENOENT|ELOOP)/.test(code))
    return undefined
  return new DatabaseRefusedError(
    'unwritable',
    `${path} cannot be written (${code}). Make its folder writable for this user, or set \`path\` to another place.`,
  )
}
