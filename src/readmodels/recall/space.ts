import type { Database } from 'better-sqlite3'
import { statement } from './statements.ts'

/** What the index knows of one namespace as a whole. */
export interface Space {
  readonly ns: number
  /** Blocks indexed, and the sum of their lengths in tokens. */
  readonly blocks: number
  readonly length: number
  /** How many of them are lines of a conversation, and the sum of those lengths. */
  readonly lines: number
  readonly lineLength: number
  /** Highest row ever indexed, and the generation: together they say whether something cached is still true. */
  readonly top: number
  readonly epoch: number
}

const EMPTY = { blocks: 0, length: 0, lines: 0, lineLength: 0, top: 0, epoch: 0 }

/** Reads a namespace's counts; one that was never written to is empty. */
export function readSpace(db: Database, ns: number): Space {
  const found = statement(
    db,
    'SELECT ns, blocks, length, lines, line_length AS lineLength, top, epoch FROM recall_space WHERE ns = ?',
  ).get(ns) as Space | undefined
  return found ?? { ns, ...EMPTY }
}
