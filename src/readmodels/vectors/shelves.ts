import { randomInt } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { SEARCH } from './settings.ts'

export type TargetKind = 'block' | 'document'

/** What the vectors of a shelf have in common. `fault` is empty for vectors that can be compared. */
export interface ShelfKey {
  readonly ns: number
  readonly kind: TargetKind
  readonly space: number
  readonly dim: number
  readonly fault: string
}

export interface Shelf extends ShelfKey {
  readonly shelf: number
  /** Vectors in it. */
  readonly live: number
  /** Changes when the shelf is written anew. */
  readonly epoch: number
}

/** Take-outs a shelf may hold beyond its living vectors before they are cleared away. */
const SPARE = 1_024
/** `randomInt` goes up to this. */
const STAMPS = 2 ** 48 - 1

/** Whether vectors of this dimension have codes. */
export function isCoded(dimension: number): boolean {
  return dimension >= SEARCH.leastCoded && dimension <= SEARCH.mostCoded
}

export function newStamp(): number {
  return randomInt(STAMPS)
}

/** The shelves of a space in a namespace, for every dimension and fault. */
export function shelvesOf(db: Database, ns: number, kind: TargetKind, space: number): Shelf[] {
  return statement(
    db,
    'SELECT shelf, ns, kind, space, dim, fault, live, epoch FROM vector_shelves WHERE ns = ? AND kind = ? AND space = ?',
  ).all(ns, kind, space) as Shelf[]
}

/** The shelves of a space in all namespaces. */
export function shelvesOfSpace(db: Database, space: number): Shelf[] {
  return statement(
    db,
    'SELECT shelf, ns, kind, space, dim, fault, live, epoch FROM vector_shelves WHERE space = ? ORDER BY shelf',
  ).all(space) as Shelf[]
}

/** The number of a shelf, made if need be. */
export function shelfNumber(db: Database, key: ShelfKey): number {
  const { ns, kind, space, dim, fault } = key
  const found = statement(
    db,
    'SELECT shelf FROM vector_shelves WHERE ns = ? AND kind = ? AND space = ? AND dim = ? AND fault = ?',
  )
    .pluck()
    .get(ns, kind, space, dim, fault)
  if (found !== undefined) return Number(found)
  return Number(
    statement(db, 'INSERT INTO vector_shelves (ns, kind, space, dim, fault) VALUES (?, ?, ?, ?, ?)').run(
      ns,
      kind,
      space,
      dim,
      fault,
    ).lastInsertRowid,
  )
}

const ADD_CODE = 'INSERT INTO vector_codes (shelf, serial, stamp, vector, row, code) VALUES (?, ?, ?, ?, ?, ?)'

/** Puts a vector into a shelf. Returns its serial there. */
export function putIn(db: Database, shelf: number, vector: number, row: number, code: Uint8Array): number {
  const serial = Number(
    statement(db, 'UPDATE vector_shelves SET top = top + 1, live = live + 1 WHERE shelf = ? RETURNING top')
      .pluck()
      .get(shelf),
  )
  statement(db, ADD_CODE).run(shelf, serial, newStamp(), vector, row, code)
  return serial
}

/** Takes a vector out of a shelf. */
export function takeOut(db: Database, shelf: number, serial: number, vector: number): void {
  const now = statement(
    db,
    `UPDATE vector_shelves SET top = top + 1, live = live - 1, gone = gone + 2 WHERE shelf = ?
     RETURNING top, live, gone`,
  ).get(shelf) as { top: number; live: number; gone: number }
  statement(db, 'UPDATE vector_codes SET code = NULL WHERE shelf = ? AND serial = ?').run(shelf, serial)
  statement(db, ADD_CODE).run(shelf, now.top, newStamp(), vector, 0, null)
  if (now.gone > now.live + SPARE) clearAway(db, shelf)
}

/** Forgets what was taken out. Copies held in memory are read anew. */
export function clearAway(db: Database, shelf: number): void {
  statement(db, 'DELETE FROM vector_codes WHERE shelf = ? AND code IS NULL').run(shelf)
  statement(db, 'UPDATE vector_shelves SET gone = 0, epoch = ? WHERE shelf = ?').run(newStamp(), shelf)
}
