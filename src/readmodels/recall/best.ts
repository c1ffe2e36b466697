/**
 * The best `capacity` of many rows by score, then by first clock (earlier first), kept in a heap whose root is the worst.
 *
 * Rows that tie with the worst kept one on both are set aside in `ties`: the caller decides among them by event id, so
 * that which rows are kept never depends on row numbers.
 */
export class Best {
  readonly capacity: number
  size = 0
  readonly rows: Int32Array
  readonly scores: Float64Array
  readonly clocks: Float64Array
  ties: number[] = []
  private tieScore = Number.NaN
  private tieClock = Number.NaN

  constructor(capacity: number) {
    this.capacity = capacity
    this.rows = new Int32Array(capacity)
    this.scores = new Float64Array(capacity)
    this.clocks = new Float64Array(capacity)
  }

  /** A score below this one is not kept. */
  get least(): number {
    return this.size < this.capacity ? Number.NEGATIVE_INFINITY : (this.scores[0] ?? 0)
  }

  offer(row: number, score: number, clock: number): void {
    if (this.size < this.capacity) {
      this.rise(this.size++, row, score, clock)
      return
    }
    const worst = this.scores[0] ?? 0
    if (score < worst) return
    const worstClock = this.clocks[0] ?? 0
    if (score === worst && clock >= worstClock) {
      if (clock === worstClock) this.setAside(row, score, clock)
      return
    }
    const out = this.rows[0] ?? 0
    this.sink(row, score, clock)
    if (this.scores[0] === worst && this.clocks[0] === worstClock) this.setAside(out, worst, worstClock)
    else if (this.ties.length > 0 && (this.scores[0] !== this.tieScore || this.clocks[0] !== this.tieClock))
      this.ties = []
  }

  private setAside(row: number, score: number, clock: number): void {
    if (score !== this.tieScore || clock !== this.tieClock) this.ties = []
    this.tieScore = score
    this.tieClock = clock
    this.ties.push(row)
  }

  /** Whether the entry at `i` is worse than the given one. */
  private worse(i: number, score: number, clock: number): boolean {
    const here = this.scores[i] ?? 0
    return here < score || (here === score && (this.clocks[i] ?? 0) > clock)
  }

  private put(i: number, row: number, score: number, clock: number): void {
    this.rows[i] = row
    this.scores[i] = score
    this.clocks[i] = clock
  }

  private move(from: number, to: number): void {
    this.put(to, this.rows[from] ?? 0, this.scores[from] ?? 0, this.clocks[from] ?? 0)
  }

  private rise(at: number, row: number, score: number, clock: number): void {
    let i = at
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (this.worse(parent, score, clock) || (this.scores[parent] === score && this.clocks[parent] === clock)) break
      this.move(parent, i)
      i = parent
    }
    this.put(i, row, score, clock)
  }

  private sink(row: number, score: number, clock: number): void {
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= this.size) break
      const right = child + 1
      if (right < this.size && this.worse(right, this.scores[child] ?? 0, this.clocks[child] ?? 0)) child = right
      if (!this.worse(child, score, clock)) break
      this.move(child, i)
      i = child
    }
    this.put(i, row, score, clock)
  }
}
