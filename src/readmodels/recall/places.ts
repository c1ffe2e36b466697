import type { Database } from 'better-sqlite3'
import type { Space } from './space.ts'
import { statement } from './statements.ts'

/** One session's lines in the order they were said. */
export interface SessionLines {
  readonly rows: readonly number[]
  /** Where in `rows` a row stands. */
  readonly indexOf: ReadonlyMap<number, number>
}

interface Held {
  readonly lines: SessionLines
  readonly top: number
  readonly epoch: number
}

const MAX_HELD_LINES = 400_000

/** The order of lines within sessions, from memory while nothing was written to their namespace. */
export class Places {
  private readonly held = new Map<string, Held>()
  private heldLines = 0

  lines(db: Database, space: Space, session: string): SessionLines {
    const key = `${space.ns} ${session}`
    const known = this.held.get(key)
    if (known !== undefined) {
      this.held.delete(key)
      if (known.top === space.top && known.epoch === space.epoch) {
        this.held.set(key, known)
        return known.lines
      }
      this.heldLines -= known.lines.rows.length
    }
    const rows = statement(
      db,
      `SELECT t.row FROM recall_terms t JOIN memory_blocks b USING (row)
       WHERE t.ns = ? AND t.session = ? AND t.session IS NOT NULL ORDER BY position, first_clock, first_event`,
    )
      .pluck()
      .all(space.ns, session) as number[]
    const lines = { rows, indexOf: new Map(rows.map((row, i) => [row, i])) }
    this.held.set(key, { lines, top: space.top, epoch: space.epoch })
    this.heldLines += rows.length
    for (const [oldest, { lines: old }] of this.held) {
      if (this.heldLines <= MAX_HELD_LINES || oldest === key) break
      this.held.delete(oldest)
      this.heldLines -= old.rows.length
    }
    return lines
  }
}
