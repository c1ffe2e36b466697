import type { Database } from 'better-sqlite3'
import { FreshRows } from './fresh.ts'
import { spacedToken } from './indexBlock.ts'
import type { Space } from './space.ts'
import { statement } from './statements.ts'

/** Row numbers held in memory at most: 32 MB of them. */
const MAX_HELD_ROWS = 8_000_000
const MAX_HELD_LISTS = 100_000
const MAX_HELD_COUNTS = 100_000

interface Posting {
  readonly rows: Int32Array
  readonly top: number
  readonly epoch: number
}

interface Count {
  readonly count: number
  readonly top: number
  readonly epoch: number
}

/**
 * Rows that hold a token, ascending, from memory where they are still true: the least recently asked go first.
 *
 * A list is true when its namespace's generation is the one it was read in. New rows always lie above the highest row seen,
 * so a list that is merely behind is topped up and not read again.
 */
export class Postings {
  private readonly held = new Map<string, Posting>()
  private heldRows = 0
  private readonly counts = new Map<string, Count>()
  private readonly fresh = new FreshRows()

  rows(db: Database, space: Space, token: string): Int32Array {
    const key = spacedToken(space.ns, token)
    const known = this.held.get(key)
    const fresh = known !== undefined && known.epoch === space.epoch && known.top <= space.top
    if (fresh && known.top === space.top) {
      this.held.delete(key)
      this.held.set(key, known)
      return known.rows
    }
    const above = fresh ? known.top : -1
    const merged = statement(db, 'SELECT rowid FROM memory_blocks_fts WHERE memory_blocks_fts MATCH ? AND rowid > ?')
      .pluck()
      .all(`"${key}"`, above) as number[]
    this.fresh.refresh(db)
    const collected = this.fresh.rows(key, above)
    // Fresh rows are mostly the newest; one that was indexed again need not be.
    const added = collected.length === 0 ? merged : [...merged, ...collected].sort((a, b) => a - b)
    let rows: Int32Array
    if (fresh && added.length === 0) rows = known.rows
    else if (fresh) {
      rows = new Int32Array(known.rows.length + added.length)
      rows.set(known.rows)
      rows.set(added, known.rows.length)
    } else rows = Int32Array.from(added)
    this.hold(key, { rows, top: space.top, epoch: space.epoch }, known)
    return rows
  }

  /** How many rows hold a token, for those whose list is not wanted: single characters have the longest of all. */
  count(db: Database, space: Space, token: string): number {
    const key = spacedToken(space.ns, token)
    const known = this.counts.get(key)
    const fresh = known !== undefined && known.epoch === space.epoch && known.top <= space.top
    if (fresh && known.top === space.top) return known.count
    const above = fresh ? known.top : -1
    const merged = statement(db, 'SELECT count(*) FROM memory_blocks_fts WHERE memory_blocks_fts MATCH ? AND rowid > ?')
      .pluck()
      .get(`"${key}"`, above) as number
    this.fresh.refresh(db)
    const count = (fresh ? known.count : 0) + merged + this.fresh.rows(key, above).length
    if (this.counts.size >= MAX_HELD_COUNTS) this.counts.clear()
    this.counts.set(key, { count, top: space.top, epoch: space.epoch })
    return count
  }

  private hold(key: string, posting: Posting, replaced: Posting | undefined): void {
    if (replaced !== undefined) {
      this.held.delete(key)
      this.heldRows -= replaced.rows.length
    }
    this.held.set(key, posting)
    this.heldRows += posting.rows.length
    for (const [oldest, { rows }] of this.held) {
      if ((this.heldRows <= MAX_HELD_ROWS && this.held.size <= MAX_HELD_LISTS) || oldest === key) break
      this.held.delete(oldest)
      this.heldRows -= rows.length
    }
  }
}
