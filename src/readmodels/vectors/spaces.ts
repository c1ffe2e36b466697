import type { Database } from 'better-sqlite3'
import { compareOrder, type EmbedSpace, type Order } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import { readFloats } from './floats.ts'

/** A space as this file knows it. */
export interface KnownSpace {
  /** Its number in this file. */
  readonly space: number
  /** As declared last, in event order; null while only vectors without a declaration were seen. */
  readonly dimension: number | null
}

interface Row {
  readonly space: number
  readonly dim: number | null
  readonly clock: number
  readonly event: string
}

const FIND = 'SELECT space, dim, clock, event FROM vector_spaces WHERE fingerprint = ?'

/** A space by its fingerprint, to the letter; undefined when nothing here is of it. */
export function findSpace(db: Database, fingerprint: string): KnownSpace | undefined {
  const row = statement(db, FIND).get(fingerprint) as Row | undefined
  return row && { space: row.space, dimension: row.dim }
}

/** The number of a space, given one if it is new. */
export function spaceNumber(db: Database, fingerprint: string): number {
  const known = findSpace(db, fingerprint)
  if (known !== undefined) return known.space
  return Number(statement(db, 'INSERT INTO vector_spaces (fingerprint) VALUES (?)').run(fingerprint).lastInsertRowid)
}

/** Folds what an event declares of a space: the latest in event order counts. */
export function declareSpace(db: Database, declared: EmbedSpace, order: Order): void {
  const space = spaceNumber(db, declared.fingerprint)
  const row = statement(db, FIND).get(declared.fingerprint) as Row
  if (row.dim !== null && compareOrder({ clock: row.clock, id: row.event }, order) >= 0) return
  statement(db, 'UPDATE vector_spaces SET dim = ?, provider = ?, model = ?, clock = ?, event = ? WHERE space = ?').run(
    declared.dimension,
    declared.provider,
    declared.model,
    order.clock,
    order.id,
    space,
  )
}

/** The point that the codes of a space are measured from; undefined is the origin. */
export function codeCentre(db: Database, space: number, dimension: number): Float32Array | undefined {
  const bytes = statement(db, 'SELECT centre FROM vector_spaces WHERE space = ?').pluck().get(space) as
    | Buffer
    | null
    | undefined
  if (bytes === null || bytes === undefined) return undefined
  const centre = readFloats(bytes)
  return centre.length === dimension ? centre : undefined
}
