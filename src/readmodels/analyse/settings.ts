/** The numbers of query analysis: one set for every language. What they are worth is in `docs/recall.md`. */
export const QUERY_SETTINGS = {
  /** A question of more sentences than this is a passage of talk: what it comes to stands in its last ones. */
  lastSentences: 2,
  /** Factor for the words of those last sentences. */
  lastWeight: 1.6,
  /** A single Han character says little beside its pairs. */
  single: 0.4,
  /** A compound repeats what its parts say. */
  compound: 0.5,
} as const
