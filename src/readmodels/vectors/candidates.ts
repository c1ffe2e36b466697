/** Where a vector was met. */
export interface Met<Page> {
  readonly vector: number
  readonly page: Page
  readonly place: number
}

/**
 * The vectors with the highest sums: at least `capacity` of them where there are so many, and all that are equal to the
 * last. Which ones that is depends on the sums alone, not on the order they come in.
 */
export class Candidates<Page> {
  /** A sum below this one is not kept. */
  least = 0
  private met: Array<Met<Page> & { readonly sum: number }> = []
  private readonly capacity: number
  /** Kept sums by value. */
  private readonly counts: Uint32Array
  private kept = 0

  /** @param highest sum that can occur */
  constructor(capacity: number, highest: number) {
    this.capacity = capacity
    this.counts = new Uint32Array(highest + 1)
  }

  /** For sums that are not below `least`. */
  offer(vector: number, sum: number, page: Page, place: number): void {
    this.met.push({ vector, sum, page, place })
    this.counts[sum] = (this.counts[sum] ?? 0) + 1
    this.kept += 1
    while (this.kept - (this.counts[this.least] ?? 0) >= this.capacity) {
      this.kept -= this.counts[this.least] ?? 0
      this.least += 1
    }
    if (this.met.length > 2 * this.kept + 4 * this.capacity) this.prune()
  }

  take(): readonly Met<Page>[] {
    this.prune()
    return this.met
  }

  private prune(): void {
    this.met = this.met.filter(({ sum }) => sum >= this.least)
  }
}
