import type { Database } from 'better-sqlite3'
import { EVERYWHERE } from '../projector/tombstones.ts'
import { statement } from '../recall/statements.ts'
import { type Wording, wordingOf } from './wording.ts'

/** Keeps by what the text of a purged block is known where it is met again. Its words are not kept. */
export function keepWording(db: Database, ns: number, block: string, text: string): void {
  const wording = wordingOf(text)
  if (wording === undefined) return
  const { length, head, print, hash, alone } = wording
  statement(
    db,
    'INSERT OR IGNORE INTO cold_purged (block, ns, length, head, print, hash, alone) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(block, ns, length, head, print, hash, alone ? 1 : 0)
}

/** What is forgotten in a namespace: purged there or everywhere, and not committed again since. */
export interface Forgotten {
  readonly wordings: readonly Wording[]
  /** Ids of blocks of which nothing but the purge is known here. */
  readonly unworded: ReadonlySet<string>
}

const LIVES = 'EXISTS (SELECT 1 FROM memory_blocks b WHERE b.ns = @ns AND b.id = t.block)'

/** `undefined` where nothing was purged. */
export function forgottenIn(db: Database, ns: number): Forgotten | undefined {
  const any = statement(db, `SELECT 1 FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) LIMIT 1`).get(ns)
  if (any === undefined) return undefined
  const rows = statement(
    db,
    `SELECT t.block, p.length, p.head, p.print, p.hash, p.alone FROM (
       SELECT DISTINCT block FROM tombstones WHERE ns IN (${EVERYWHERE}, @ns)
     ) t LEFT JOIN cold_purged p ON p.block = t.block WHERE NOT ${LIVES} GROUP BY t.block`,
  ).all({ ns }) as Array<{ block: string; length: number | null; alone: number } & Omit<Wording, 'alone' | 'length'>>
  const wordings: Wording[] = []
  const unworded = new Set<string>()
  for (const { block, length, alone, ...rest } of rows) {
    if (length === null) unworded.add(block)
    else wordings.push({ ...rest, length, alone: alone === 1 })
  }
  return { wordings, unworded }
}
