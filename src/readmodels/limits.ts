/** What makes an answer less than it could be. It goes into events and before models, so it names no file. */
export const LIMITS = {
  unusable: 'the database cannot be used',
  movedAside: 'a damaged database was moved aside',
  unfolded: 'some events are in the journal but not in the database yet',
  catching: 'stored sessions are still being read',
  /** Followed by how many folders of them. */
  unread: 'stored sessions are not read yet',
} as const

const ARBITRATION_FAILED = 'arbitration_failed'
const INCOMPLETE: readonly string[] = [LIMITS.unusable, LIMITS.unfolded, LIMITS.catching, LIMITS.unread]

/** Whether what was found may have been replaced by something that could not be taken into account. */
export function mayBeOutdated(degraded: readonly string[]): boolean {
  return degraded.some(reason => reason === LIMITS.unfolded || reason.startsWith(ARBITRATION_FAILED))
}

/** Whether there may be more than was searched, so that what was not found may be there. */
export function mayLackSome(degraded: readonly string[]): boolean {
  return degraded.some(reason => INCOMPLETE.some(limit => reason.startsWith(limit)))
}
