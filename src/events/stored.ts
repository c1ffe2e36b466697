/** One of our events as a log or a journal holds it: not yet validated. */
export interface StoredEvent {
  readonly type: string
  readonly data: unknown
  /** Its place in the session log it was found in. A label: forks and repairs may give it another. */
  readonly seq?: number | undefined
}
