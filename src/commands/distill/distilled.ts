/** One message of a turn, as it was said. */
export interface Passage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
}

/** A statement that is worth a block of its own. */
export interface Distilled {
  /** What would be committed: `<subject>|<dim>=<value>` where the dimension is known, else the sentence. */
  readonly text: string
  /** As it stands in the sentence. */
  readonly subject: string
  /** A known dimension, with what narrows it before it (`staging port`); only with a fact form. */
  readonly dim?: string
  /** As it stands in the sentence. */
  readonly value: string
  /** The sentence it was read from, verbatim but for NFC. */
  readonly sentence: string
  /** Which of the passages it was said in. */
  readonly passage: number
}

/** Most statements that are kept of a turn. */
export const MAX_DISTILLED = 12

/** Most text of a turn that is looked at, in UTF-16 units; what users said comes first. */
export const MAX_DISTILLED_UNITS = 262_144

/** Longer sentences are left alone, in UTF-16 units. It also bounds what a pattern can cost. */
export const MAX_SENTENCE = 300
export const MAX_SUBJECT = 80
export const MAX_VALUE = 160
