import type { Database } from 'better-sqlite3'
import { lengthToByte } from './lengthByte.ts'
import { statement } from './statements.ts'

/**
 * Length and first clock of every row, by row number: nine bytes a row, read once and topped up.
 *
 * Like posting lists, they are true as long as no older row was indexed again since they were read.
 */
export class Ranks {
  lengths = new Uint8Array(0)
  clocks = new Float64Array(0)
  /** Scratch for stage 1: one score a row, all zero between recalls. */
  scores = new Float64Array(0)
  /** Scratch for stage 1: the rows that have a score. */
  touched = new Int32Array(0)
  private top = 0
  private epoch = -1

  refresh(db: Database): void {
    const whole = statement(db, 'SELECT top, epoch FROM recall_whole WHERE one = 1').get() as
      | { top: number; epoch: number }
      | undefined
    const { top, epoch } = whole ?? { top: 0, epoch: 0 }
    const behind = epoch === this.epoch && top >= this.top
    if (behind && top === this.top) return
    this.grow(top + 1)
    const rows = statement(db, 'SELECT row, length, clock FROM recall_rank WHERE row > ?')
      .raw()
      .iterate(behind ? this.top : -1) as IterableIterator<[number, number, number]>
    for (const [row, length, clock] of rows) {
      if (row >= this.lengths.length) this.grow(row + 1)
      this.lengths[row] = lengthToByte(length)
      this.clocks[row] = clock
    }
    this.top = top
    this.epoch = epoch
  }

  private grow(rows: number): void {
    if (rows <= this.lengths.length) return
    const size = Math.max(1024, Math.ceil(rows * 1.25))
    const [lengths, clocks] = [new Uint8Array(size), new Float64Array(size)]
    lengths.set(this.lengths)
    clocks.set(this.clocks)
    this.lengths = lengths
    this.clocks = clocks
    this.scores = new Float64Array(size)
    this.touched = new Int32Array(size)
  }
}
