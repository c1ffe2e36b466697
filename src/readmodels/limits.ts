/** What makes an answer less than it could be. It goes into events and before models, so it names no file. */
export const LIMITS = {
  unusable: 'the database cannot be used',
  movedAside: 'a damaged database was moved aside',
  unfolded: 'some events are in the journal but not in the database yet',
  catching: 'stored sessions are still being read',
  /** Followed by how many folders of them. */
  unread: 'stored sessions are not read yet',
} as const

/** Why an answer goes by words where it might have gone by meaning too; what follows the name are details. */
export const BY_WORDS = {
  /** Vectors are asked for, by settings that cannot be used. */
  noEmbedder: 'no_embedder',
  /** The question could not be embedded. */
  embedError: 'embed_error',
  /** Nothing here is of the question's space, or the question's vector fits none. */
  unknownSpace: 'unknownSpace',
  wrongDimension: 'wrongDimension',
  failed: 'vector_search_failed',
  /** No memory has a vector to compare. */
  none: 'words_only',
  /** Some have, and others have none. */
  hybrid: 'hybrid',
} as const

const NOTHING_BY_MEANING: readonly string[] = Object.values(BY_WORDS).filter(reason => reason !== BY_WORDS.hybrid)

/** Whether nothing was compared by meaning though that was wanted, so that what is said in other words may be missing. */
export function wentByWords(degraded: readonly string[]): boolean {
  return degraded.some(reason => NOTHING_BY_MEANING.includes(reason.split(':', 1)[0] ?? ''))
}

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
