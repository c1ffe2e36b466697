import { compareOrder, type Order } from '../../events/index.ts'

/** What decides among the vectors of one target in one space. */
export interface Standing extends Order {
  /** Why it cannot be compared; empty when it can. */
  readonly fault: string
}

/**
 * Which of the vectors of a target in a space counts: the latest in event order, and one that can be compared before all
 * that cannot.
 *
 * Of each of four kinds the latest is kept, not only the one that counts: a purge takes every vector that archiving or
 * importing brought (`captured`), and of the others those before it, so which one is the latest that is left shows only
 * when all events are known.
 */
export function later(a: Standing, b: Standing): boolean {
  if ((a.fault === '') !== (b.fault === '')) return a.fault === ''
  return compareOrder(a, b) > 0
}
