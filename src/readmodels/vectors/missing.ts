import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { findSpace } from './spaces.ts'

/** A block that is shown and has no vector to compare in a space. */
export interface MissingVector {
  readonly row: number
  readonly ns: number
  /** Namespace id, and its label. */
  readonly namespace: string
  readonly label: string
  /** Block id. */
  readonly id: string
  /** The text as stored; embed its canonical form. */
  readonly text: string
}

const MISSING = `SELECT b.row, b.ns, n.id AS namespace, n.label, b.id, b.text_content AS text
  FROM memory_blocks b JOIN namespaces n USING (ns)
  WHERE b.row > @after AND b.inactive = 0 AND NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.ns = b.ns AND v.kind = 'block' AND v.target = b.id AND v.space = @space
      AND v.fault = '' AND (@bytes IS NULL OR length(v.data) = @bytes))
  ORDER BY b.row LIMIT @limit`

/**
 * The blocks that lack a vector in a space, of its declared dimension where one was declared: what is to be embedded.
 * One query over the blocks' rows and the vectors' index; `after` goes on behind the last row of the page before.
 */
export function missingVectors(db: Database, fingerprint: string, limit: number, after = 0): MissingVector[] {
  const known = findSpace(db, fingerprint)
  const dimension = known?.dimension ?? null
  return statement(db, MISSING).all({
    after,
    limit,
    space: known?.space ?? 0,
    bytes: dimension === null ? null : 4 * dimension,
  }) as MissingVector[]
}
