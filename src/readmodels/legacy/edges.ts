import type { Database } from 'better-sqlite3'
import type { Shape } from './shape.ts'
import { unixMillis } from './time.ts'

/** A row of `memory_block_edges`, in the names of the old file. */
export interface LegacyEdge {
  readonly sourceKind: string
  readonly sourceId: string
  readonly targetKind: string
  readonly targetId: string
  readonly type: string
  /** `undefined` when the row does not say. */
  readonly confidence: number | undefined
  readonly session: string | undefined
  readonly turn: number | undefined
  /** `active` when the row does not say. */
  readonly status: string
  /** Unix milliseconds. */
  readonly time: number | undefined
}

type Row = Readonly<Record<string, unknown>>

const COLUMNS = [
  'source_kind',
  'source_id',
  'target_kind',
  'target_id',
  'type',
  'confidence',
  'session_id',
  'turn_id',
  'status',
  'created_at',
]

/** The edges, oldest first, streamed; a table without the ends of its edges has none that can be read. */
export function* legacyEdges(db: Database, { edges }: Shape): Generator<LegacyEdge> {
  if (!edges.has('source_id') || !edges.has('target_id')) return
  const columns = COLUMNS.filter(column => edges.has(column))
  const order = ['created_at', 'source_id', 'target_id', 'type'].filter(column => edges.has(column))
  const rows = db.prepare<[], Row>(`SELECT ${columns.join(', ')} FROM memory_block_edges ORDER BY ${order.join(', ')}`)
  for (const row of rows.iterate()) {
    yield {
      sourceKind: text(row.source_kind) || 'block',
      sourceId: text(row.source_id),
      targetKind: text(row.target_kind) || 'block',
      targetId: text(row.target_id),
      type: text(row.type),
      confidence: typeof row.confidence === 'number' ? row.confidence : undefined,
      session: text(row.session_id) || undefined,
      turn: whole(row.turn_id),
      status: text(row.status) || 'active',
      time: unixMillis(row.created_at),
    }
  }
}

/** Rows of a table of edges that `legacyEdges` cannot read. */
export function unreadableEdges(db: Database, { edges }: Shape): number {
  if (edges.size === 0 || (edges.has('source_id') && edges.has('target_id'))) return 0
  return Number(db.prepare('SELECT count(*) FROM memory_block_edges').pluck().get())
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function whole(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
