import type { Namespace, Place } from '../events/index.ts'

/** What makes a decision an event: its identity, its place in the order, its namespace, and where it was made. */
export interface Stamp {
  readonly id: string
  readonly clock: number
  readonly ns: Namespace
  readonly at: Place
}
