/** The numbers of vector search; `bench/vector` measures what they cost and what they find. */
export const SEARCH = {
  /** Vectors taken by the first half of their codes, at least; so many times the hits asked for, if that is more. */
  coarse: 512,
  coarsePerHit: 16,
  /** Of those, the vectors taken by their whole codes, whose exact cosine is worked out; likewise. */
  fine: 64,
  finePerHit: 3,
  /** Up to so many vectors, all are compared exactly, and no codes are read. */
  exactBelow: 512,
  /** Most vectors compared exactly, when many of them have one code or the codes are not held. */
  mostTied: 4_096,
  /** Vectors shorter or longer than this have no codes: they are all compared exactly. */
  leastCoded: 32,
  mostCoded: 8_192,
  /** Bytes of codes held in memory at most, a connection. */
  heldBytes: 256 << 20,
} as const

/** When the centroid of a space is subtracted from both sides before they are compared. */
export const CENTRING = {
  /** Least norm of the mean of the normalised vectors. */
  norm: 0.6,
  /** Least number of vectors. */
  vectors: 20,
} as const

/**
 * A centroid is due again when the number of vectors of its space has changed by more than this share; up to `everyBelow`
 * of them, whenever it has changed at all.
 */
export const CENTROID_DUE = { share: 0.2, everyBelow: 64 } as const
