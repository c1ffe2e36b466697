import type { Setting } from './judge.ts'
import type { Mention } from './mention.ts'
import type { Value, Values } from './value.ts'

/** A value that a text may give to what it mentions, and how sure it is that it does. */
export interface Candidate extends Pick<Setting, 'how'> {
  readonly value: Value | undefined
  /** White space stands before it. Default true. */
  readonly apart?: boolean
  /** The name may be one of a folder. Default false. */
  readonly folder?: boolean
}

/** One way in which texts give a value to a name. Bounded in what it reads around the mention. */
export type Join = (text: string, mention: Mention, values: Values) => Candidate | undefined
