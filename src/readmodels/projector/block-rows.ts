import type { Database } from 'better-sqlite3'
import { canonicalText, compareOrder, type Frame, type Order } from '../../events/index.ts'
import { parseFact } from '../analyse/index.ts'
import { type BlockToIndex, indexBlock, indexNewBlock, unindexBlock } from '../recall/index.ts'
import type { BlockState } from './block-state.ts'

interface Row {
  readonly row: number
  readonly text_content: string
  readonly source: string
  readonly tool: string
  readonly scene: string
  readonly semantic_type: string
  readonly frame_ts: number | null
  readonly page_seq: number | null
  readonly page_kind: string
  readonly block_role: string
  readonly call_id: string
  readonly speaker: string
  readonly session: string
  readonly inactive: number
  readonly created_at: number
  readonly updated_at: number
  readonly first_clock: number
  readonly first_event: string
  readonly last_clock: number
  readonly last_event: string
}

const COLUMNS = [
  'text_content',
  'source',
  'tool',
  'scene',
  'semantic_type',
  'frame_ts',
  'page_seq',
  'page_kind',
  'block_role',
  'call_id',
  'speaker',
  'session',
  'inactive',
  'created_at',
  'updated_at',
  'first_clock',
  'first_event',
  'last_clock',
  'last_event',
] as const

/** What a block's index entry depends on beside its id. */
const INDEXED = [
  'frame_ts',
  'page_seq',
  'page_kind',
  'block_role',
  'call_id',
  'speaker',
  'session',
  'created_at',
  'first_clock',
  'first_event',
] as const

/** A row as it stands. */
export interface StoredBlock {
  readonly state: BlockState
  /** Hidden, because another block stands for it. */
  readonly inactive: boolean
}

/** One row a living block, and its entry in the recall index while it is shown. */
export function blockRows(db: Database, firstFrame: (ns: number, id: string) => Frame | null) {
  const find = db.prepare<[number, string], Row>('SELECT * FROM memory_blocks WHERE ns = ? AND id = ?')
  const exists = db.prepare<[number, string], number>('SELECT 1 FROM memory_blocks WHERE ns = ? AND id = ?').pluck()
  const insert = db.prepare(
    `INSERT INTO memory_blocks (ns, id, fact_subject, fact_dim, fact_value, last_recalled_at, ${COLUMNS.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, ${COLUMNS.map(() => '?').join(', ')})`,
  )
  // Sorted here: for the usual answer, none, SQLite's sorter costs more than the search.
  const recalls = db.prepare<[number, string], Order & { readonly time: number }>(
    'SELECT clock, event AS id, time FROM recall_hits WHERE ns = ? AND block = ?',
  )
  const update = db.prepare(
    `UPDATE memory_blocks SET ${COLUMNS.map(name => `${name} = @${name}`).join(', ')} WHERE row = @row`,
  )
  const remove = db.prepare('DELETE FROM memory_blocks WHERE row = ?')
  const touch = db.prepare(`UPDATE memory_blocks SET last_recalled_at = (
      SELECT time FROM recall_hits h WHERE h.ns = memory_blocks.ns AND h.block = memory_blocks.id
      ORDER BY clock DESC, event DESC LIMIT 1) WHERE ns = ? AND id = ?`)

  const entry = (
    row: number,
    ns: number,
    canonical: string,
    { frame, conversation, createdAt, first }: BlockState,
  ): BlockToIndex => {
    const saidAt = frame?.ts ?? createdAt
    // Only a line with a place in a conversation is ranked together with what was said around it.
    const line =
      frame?.pageSeq === undefined
        ? {}
        : { conversation: { session: conversation, position: frame.pageSeq, speaker: frame.speaker ?? '', saidAt } }
    return { row, ns, canonicalText: canonical, clock: first.clock, event: first.id, saidAt, ...line }
  }

  return {
    has: (ns: number, id: string): boolean => exists.get(ns, id) !== undefined,

    find(ns: number, id: string): StoredBlock | undefined {
      const row = find.get(ns, id)
      return row && { state: stateOf(row, firstFrame(ns, id)), inactive: row.inactive === 1 }
    },

    /** Writes a block that has no row yet. */
    add(ns: number, id: string, canonical: string, state: BlockState, inactive: boolean): void {
      const fact = parseFact(canonical)
      const added = insert.run(
        ns,
        id,
        fact?.subject ?? null,
        fact?.dimension ?? null,
        fact?.value ?? null,
        recalls.all(ns, id).sort(compareOrder).at(-1)?.time ?? null,
        ...Object.values(columns(state, inactive)),
      )
      if (!inactive) indexNewBlock(db, entry(Number(added.lastInsertRowid), ns, canonical, state))
    },

    /** Brings the row of a block, and its index entry, to what it is now. */
    write(ns: number, id: string, state: BlockState, inactive: boolean): void {
      const row = find.get(ns, id)
      if (row === undefined) return
      const next = columns(state, inactive)
      update.run({ row: row.row, ...next })
      const wasInactive = row.inactive === 1
      if (inactive && !wasInactive) unindexBlock(db, row.row)
      if (!inactive && (wasInactive || INDEXED.some(name => row[name] !== next[name])))
        indexBlock(db, entry(row.row, ns, canonicalText(state.text), state))
    },

    remove(ns: number, id: string): void {
      const row = find.get(ns, id)
      if (row === undefined) return
      unindexBlock(db, row.row)
      remove.run(row.row)
    },

    /** Refreshes when a block was last recalled, if it is there. */
    touch: (ns: number, id: string): void => {
      touch.run(ns, id)
    },
  }
}

export type BlockRows = ReturnType<typeof blockRows>

function stateOf(row: Row, frame: Frame | null): BlockState {
  return {
    text: row.text_content,
    source: row.source,
    tool: row.tool,
    scene: row.scene,
    semanticType: row.semantic_type,
    frame,
    conversation: row.session,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    first: { clock: row.first_clock, id: row.first_event },
    last: { clock: row.last_clock, id: row.last_event },
  }
}

/** In the order of `COLUMNS`. */
function columns(state: BlockState, inactive: boolean): Record<(typeof COLUMNS)[number], string | number | null> {
  const { frame } = state
  return {
    text_content: state.text,
    source: state.source,
    tool: state.tool,
    scene: state.scene,
    semantic_type: state.semanticType,
    frame_ts: frame?.ts ?? null,
    page_seq: frame?.pageSeq ?? null,
    page_kind: frame?.pageKind ?? '',
    block_role: frame?.role ?? '',
    call_id: frame?.callId ?? '',
    speaker: frame?.speaker ?? '',
    session: state.conversation,
    inactive: inactive ? 1 : 0,
    created_at: state.createdAt,
    updated_at: state.updatedAt,
    first_clock: state.first.clock,
    first_event: state.first.id,
    last_clock: state.last.clock,
    last_event: state.last.id,
  }
}
