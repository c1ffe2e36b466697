/** Why a file cannot be read as a database of the earlier port. */
export type LegacyRefusal = 'missing' | 'not_a_database' | 'foreign_database' | 'our_database' | 'in_use' | 'damaged'

/** A file that nothing is imported from. It is as it was. */
export class LegacyDatabaseError extends Error {
  override readonly name = 'LegacyDatabaseError'
  readonly code: LegacyRefusal

  constructor(code: LegacyRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function isLegacyDatabaseError(error: unknown): error is LegacyDatabaseError {
  return error instanceof LegacyDatabaseError
}
