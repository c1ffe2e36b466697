/** The largest clock an event may carry. Far below 2^53, so that a damaged value cannot exhaust the counter. */
export const MAX_CLOCK = 2 ** 48

/** Where an event stands among all others: by Lamport clock, then by id. Wall clock and log seq are only labels. */
export interface Order {
  readonly clock: number
  readonly id: string
}

/** Negative when `a` is before `b`. Total, and the same in every process: ids are compared as plain strings. */
export function compareOrder(a: Order, b: Order): number {
  if (a.clock !== b.clock) return a.clock < b.clock ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

/**
 * Lamport's logical clock: each tick is one above everything this process has seen or issued. At `MAX_CLOCK`, which only
 * a hostile event can bring about, it stays there, since events beyond would be unreadable; the ids then give the order.
 */
export class LamportClock {
  private highest: number

  constructor(seen = 0) {
    this.highest = isClock(seen) ? seen : 0
  }

  /** Highest value seen or issued so far; 0 before any. */
  get value(): number {
    return this.highest
  }

  observe(seen: unknown): void {
    if (isClock(seen) && seen > this.highest) this.highest = seen
  }

  tick(): number {
    this.highest = Math.min(this.highest + 1, MAX_CLOCK)
    return this.highest
  }
}

function isClock(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_CLOCK
}
