/** A file that is not a whole portable journal. The message says what is wrong with it, and where. */
export class PortableJournalError extends Error {
  override readonly name = 'PortableJournalError'
}

export function isPortableJournalError(error: unknown): error is PortableJournalError {
  return error instanceof PortableJournalError
}
