import type { Database } from 'better-sqlite3'
import { DatabaseRefusedError } from './errors.ts'
import { APPLICATION_ID, SCHEMA } from './schema.ts'

/** Raised with every change of the schema. */
export const SCHEMA_VERSION = 5

/**
 * Brings a file to the newest schema. A file of another application, or of a newer version of us, is refused and left
 * alone. Two processes may do this at once: the second finds the work done.
 */
export function migrate(db: Database, path: string): void {
  if (versionOf(db, path) === SCHEMA_VERSION) return
  const run = db.transaction(() => {
    if (versionOf(db, path) === SCHEMA_VERSION) return
    // What an older version holds is derived: it is read again from the journal and the session logs.
    dropAll(db)
    db.exec(SCHEMA)
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  })
  run.immediate()
}

function dropAll(db: Database): void {
  const tables = db.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC",
  )
  // Tables that a virtual one keeps go with it.
  for (const name of tables.pluck().all()) db.exec(`DROP TABLE IF EXISTS "${name}"`)
}

/** Throws `DatabaseRefusedError` unless a file is ours and of the newest schema. Reads only. */
export function checkSchema(db: Database, path: string): void {
  const version = versionOf(db, path)
  if (version === SCHEMA_VERSION) return
  throw new DatabaseRefusedError(
    'past_schema',
    `${path} has schema version ${version}, and this dsh-hologram needs ${SCHEMA_VERSION}; \`dsh-hologram rebuild\` brings it up to date.`,
  )
}

function versionOf(db: Database, path: string): number {
  const application = db.pragma('application_id', { simple: true })
  const version = Number(db.pragma('user_version', { simple: true }))
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (application !== APPLICATION_ID && (application !== 0 || tables !== 0)) {
    throw new DatabaseRefusedError(
      'foreign_database',
      `${path} is a database of another application; it was left alone. Set \`path\` to a file of its own for dsh-hologram.`,
    )
  }
  if (version > SCHEMA_VERSION) {
    throw new DatabaseRefusedError(
      'future_schema',
      `${path} has schema version ${version}, and this dsh-hologram knows ${SCHEMA_VERSION}; it was left alone. ` +
        'Update dsh-hologram, or set `path` to a new file: memory is rebuilt from the sessions and the journal.',
    )
  }
  return version
}
