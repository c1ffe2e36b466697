import type { Database } from 'better-sqlite3'
import type { Shape } from './shape.ts'
import { unixMillis } from './time.ts'
import { type LegacyVector, legacyVector } from './vector.ts'

/** A row of `memory_blocks`. What is `unknown` is as SQLite holds it: any column may hold anything. */
export interface LegacyBlock {
  readonly id: string
  readonly modality: string
  readonly text: unknown
  readonly source: unknown
  readonly scene: unknown
  readonly semanticType: unknown
  /** Unix milliseconds; `undefined` when the row does not say. */
  readonly time: number | undefined
  readonly vector: LegacyVector
}

type Row = Readonly<Record<string, unknown>>

const OPTIONAL = ['modality', 'source', 'scene', 'semantic_type', 'created_at', 'updated_at', 'vector', 'fingerprint']

/** The rows, oldest first, streamed. */
export function* legacyBlocks(db: Database, { blocks }: Shape): Generator<LegacyBlock> {
  const columns = ['id', 'text_content', ...OPTIONAL.filter(column => blocks.has(column))]
  const order = [...(blocks.has('created_at') ? ['created_at'] : []), insertionOrder(db)]
  const rows = db.prepare<[], Row>(`SELECT ${columns.join(', ')} FROM memory_blocks ORDER BY ${order.join(', ')}`)
  for (const row of rows.iterate()) {
    yield {
      id: String(row.id ?? ''),
      modality: typeof row.modality === 'string' && row.modality !== '' ? row.modality : 'text',
      text: row.text_content,
      source: row.source,
      scene: row.scene,
      semanticType: row.semantic_type,
      time: unixMillis(row.created_at) ?? unixMillis(row.updated_at),
      vector: legacyVector(row.vector, row.fingerprint),
    }
  }
}

/** A table made `WITHOUT ROWID` has no order of insertion. */
function insertionOrder(db: Database): string {
  try {
    db.prepare('SELECT rowid FROM memory_blocks LIMIT 0')
    return 'rowid'
  } catch {
    return 'id'
  }
}
