import type { Database } from 'better-sqlite3'
import { statement } from './statements.ts'

/**
 * Tokens of rows that are not in `memory_blocks_fts` yet. That table writes a segment of its own for every transaction,
 * and for every savepoint in one, so rows are collected here and go into it many at a time.
 */

/** Rows that are collected before they go into the full-text table together. */
export const FRESH_ROWS = 512

/** Collects the tokens of a row. */
export function addFresh(db: Database, row: number, tokens: string): void {
  statement(db, 'INSERT INTO recall_fresh (row, tokens) VALUES (?, ?)').run(row, tokens)
}

/** Moves what was collected into the full-text table. */
export function mergeFresh(db: Database): void {
  statement(db, 'INSERT INTO memory_blocks_fts (rowid, tokens) SELECT row, tokens FROM recall_fresh ORDER BY row').run()
  statement(db, 'DELETE FROM recall_fresh').run()
  statement(db, 'UPDATE recall_whole SET fresh = 0, fresh_epoch = fresh_epoch + 1 WHERE one = 1').run()
}

/** Takes a row out again. False when it is not here: then the full-text table has it. */
export function dropFresh(db: Database, row: number): boolean {
  if (statement(db, 'DELETE FROM recall_fresh WHERE row = ?').run(row).changes === 0) return false
  statement(db, 'UPDATE recall_whole SET fresh = fresh - 1, fresh_epoch = fresh_epoch + 1 WHERE one = 1').run()
  return true
}

const NONE: readonly number[] = []

/** Which fresh rows hold a token, held in memory and topped up while no row was taken out or merged. */
export class FreshRows {
  private readonly held = new Map<string, number[]>()
  private top = -1
  private epoch = -1
  /** How often rows had left when it was read. */
  private left = -1

  /** Rows above `above` that hold a token, ascending. `refresh` must have been called in the same snapshot. */
  rows(token: string, above: number): readonly number[] {
    const rows = this.held.get(token)
    if (rows === undefined) return NONE
    return (rows[0] ?? 0) > above ? rows : rows.filter(row => row > above)
  }

  refresh(db: Database): void {
    const {
      top,
      epoch,
      fresh_epoch: left,
    } = statement(db, 'SELECT top, epoch, fresh_epoch FROM recall_whole WHERE one = 1').get() as {
      top: number
      epoch: number
      fresh_epoch: number
    }
    const behind = epoch === this.epoch && left === this.left && top >= this.top
    if (behind && top === this.top) return
    if (!behind) this.held.clear()
    const rows = statement(db, 'SELECT row, tokens FROM recall_fresh WHERE row > ? ORDER BY row')
      .raw()
      .iterate(behind ? this.top : -1) as IterableIterator<[number, string]>
    for (const [row, tokens] of rows) {
      for (const token of tokens.split(' ')) {
        const known = this.held.get(token)
        if (known === undefined) this.held.set(token, [row])
        else known.push(row)
      }
    }
    this.top = top
    this.epoch = epoch
    this.left = left
  }
}
