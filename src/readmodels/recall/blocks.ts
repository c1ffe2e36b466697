import type { Database } from 'better-sqlite3'
import { statement } from './statements.ts'

/** What arbitration and the answer need of a block's row. */
export interface BlockRow {
  readonly row: number
  readonly ns: number
  readonly id: string
  readonly text: string
  readonly at: number | null
  readonly inactive: number
  readonly lastClock: number
  readonly lastEvent: string
  readonly fact: string | null
  readonly symbols: string | null
}

const READ = `
SELECT b.row, b.ns, b.id, b.text_content AS text, coalesce(b.frame_ts, b.created_at) AS at, b.inactive,
  b.last_clock AS lastClock, b.last_event AS lastEvent, t.fact, t.symbols
FROM json_each(?) j JOIN memory_blocks b ON b.row = j.value JOIN recall_terms t ON t.row = b.row`

/** Rows by number; those that are gone are missing from the map. */
export function readBlocks(db: Database, rows: readonly number[]): Map<number, BlockRow> {
  const found = statement(db, READ).all(JSON.stringify(rows)) as BlockRow[]
  return new Map(found.map(block => [block.row, block]))
}

/** Whether `a` was said after `b` in event order. */
export function isLater(a: BlockRow, b: BlockRow): boolean {
  return a.lastClock > b.lastClock || (a.lastClock === b.lastClock && a.lastEvent > b.lastEvent)
}
