/**
 * The numbers of the ranking. One set for every language and every kind of memory; where each comes from and what it
 * is worth is in `docs/recall.md`.
 */
export const SETTINGS = {
  /** Rows that stage 1 hands to stage 2. */
  candidates: 128,
  /** A single character that more blocks than this hold brings none in. */
  spareRows: 20_000,
  /** BM25's length share, and its saturation `k1`. */
  b: 0.75,
  k1: 1.2,
  /** How much the lines before and after count for a line of a conversation, nearest first. */
  before: [0.4, 0.4, 0.2, 0.2],
  after: [0.2, 0.1],
  /** Times this more of the line before when it ends in a question: its words are the answer's subject. */
  answer: 1,
  /** Share of the best score that a line gets from a session full of good lines. */
  sessionPrior: 0.1,
  sessionBest: 100,
  /** The one speaker whom the question names said it. */
  speaker: 1.2,
  /** What a line that only asks loses. */
  asking: 0.5,
  /** A "when" question, and a line that says when. */
  when: 1.3,
  /** See `relevance.ts`: the question's share in the measure, and what a pair of characters that no block holds counts. */
  relevance: { share: 0.75, unseenPair: 0.5 },
  /** Relevance of what was said when a question asks about, where a time is all it asks about. */
  saidThen: 0.5,
  /** A date in the question, against when a line was said. */
  date: { sameDay: 1, weekAfter: 0.5, sameMonth: 0.7, earlyNextMonth: 0.3, dayBefore: 0.2, sameYear: 0.15 },
} as const

/** What replaces what; see `arbitrate.ts`. */
export const ARBITRATION = {
  /**
   * A number that is shorter than this, or that more blocks than this hold, names nothing: it brings in nothing that may
   * replace a sentence. (A hundred blocks with small counts replaced each other, and were compared each with each.)
   */
  namingDigits: 3,
  namingBlocks: 8,
  /** Replacements of replacements that are followed. */
  rounds: 16,
} as const

/** Walking edges; see `associate.ts`. */
export const ASSOCIATION = {
  /** Hits from which edges are walked. */
  seeds: 10,
  depth: 3,
  /** What more edges than this meet in is not walked through. */
  fan: 500,
  /** Places walked to in one recall. */
  steps: 2_000,
  /** Blocks looked at beyond the budget, so that what arbitration takes away is made up for. */
  margin: 50,
} as const

/** How words and vectors are fused; see `fuse.ts`. */
export const FUSION = {
  /** Share of the vector path in `rank` fusion. */
  vector: 0.6,
  /** Places after which a vector hit counts half. */
  placeScale: 10,
  /** Share of the vector path in `weighted` fusion. */
  weightedVector: 0.7,
} as const
