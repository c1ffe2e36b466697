import type { Database } from 'better-sqlite3'
import { leading } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import type { TargetKind } from './shelves.ts'
import { findSpace } from './spaces.ts'

/** A block that is shown, or a document that can be read, and has no vector to compare in a space. */
export interface MissingVector {
  readonly row: number
  readonly ns: number
  /** Namespace id, and its label. */
  readonly namespace: string
  readonly label: string
  readonly kind: TargetKind
  /** Block or document id. */
  readonly id: string
  /** The text as stored, of a document its beginning; embed its canonical form. */
  readonly text: string
}

/** Characters of a document that its vector is of. */
const DOCUMENT_CHARS = 2_000

const BLOCKS = `SELECT b.row, b.ns, n.id AS namespace, n.label, 'block' AS kind, b.id, b.text_content AS text
  FROM memory_blocks b JOIN namespaces n USING (ns)
  WHERE b.row > @after AND b.inactive = 0 AND NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.ns = b.ns AND v.kind = 'block' AND v.target = b.id AND v.space = @space
      AND v.fault = '' AND (@bytes IS NULL OR length(v.data) = @bytes))
  ORDER BY b.row LIMIT @limit`

// A document stands where its first part does. One whose turn went on after it was embedded is to be embedded again.
const DOCUMENTS = `SELECT e.row, d.ns, n.id AS namespace, n.label, 'document' AS kind, d.doc AS id, '' AS text
  FROM cold_events e JOIN cold_docs d USING (ns, doc) JOIN namespaces n USING (ns)
  WHERE e.row > @after AND e.part = 0 AND NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.ns = d.ns AND v.kind = 'document' AND v.target = d.doc AND v.space = @space
      AND v.clock >= d.clock AND v.fault = '' AND (@bytes IS NULL OR length(v.data) = @bytes))
  ORDER BY e.row LIMIT @limit`

const SPOKEN = `SELECT b.text_content FROM cold_events e JOIN memory_blocks b USING (row)
  WHERE e.ns = ? AND e.doc = ? AND e.kind IN ('user', 'assistant') ORDER BY e.part`

/**
 * The blocks and documents that lack a vector in a space, of its declared dimension where one was declared: what is to be embedded.
 * One query over the blocks' rows and the vectors' index; `after` goes on behind the last row of the page before.
 */
export function missingVectors(db: Database, fingerprint: string, limit: number, after = 0): MissingVector[] {
  const known = findSpace(db, fingerprint)
  const dimension = known?.dimension ?? null
  const asked = {
    after,
    limit,
    space: known?.space ?? 0,
    bytes: dimension === null ? null : 4 * dimension,
  }
  const blocks = statement(db, BLOCKS).all(asked) as MissingVector[]
  const documents = statement(db, DOCUMENTS).all(asked) as MissingVector[]
  return [...blocks, ...documents]
    .sort((a, b) => a.row - b.row)
    .slice(0, limit)
    .map(one => (one.kind === 'block' ? one : { ...one, text: spokenIn(db, one) }))
}

/** What was said in a document, as far as its vector is of it. */
function spokenIn(db: Database, { ns, id }: MissingVector): string {
  let text = ''
  for (const part of statement(db, SPOKEN).pluck().iterate(ns, id) as IterableIterator<string>) {
    text += `${part}\n`
    if (text.length > DOCUMENT_CHARS) break
  }
  return leading(text, DOCUMENT_CHARS).toWellFormed()
}
