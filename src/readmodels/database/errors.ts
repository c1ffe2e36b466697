/** Why a database file is not used. The file is left exactly as it was found. */
export type RefusalCode = 'foreign_database' | 'future_schema' | 'past_schema' | 'unwritable' | 'missing' | 'damaged'

export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

export function isDatabaseRefused(error: unknown): error is DatabaseRefusedError {
  return error instanceof DatabaseRefusedError
}

/** SQLite's result code of an error, such as `SQLITE_BUSY`; empty for other errors. */
export function sqliteCode(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : ''
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error))
}

export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error))
}
