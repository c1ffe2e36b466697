import type { Database } from 'better-sqlite3'
import { blockId, type CommitEvent, canonicalText, compareOrder, type Frame, frameSchema } from '../../events/index.ts'
import { indexBlock } from '../recall/index.ts'
import { type BlockState, blockState, extend, type SaidOnce } from './block-state.ts'

interface SourceRow {
  readonly clock: number
  readonly event: string
  readonly session: string
  readonly time: number
  readonly source: string
  readonly tool: string
  readonly scene: string
  readonly semantic_type: string
  readonly frame: string | null
  readonly text: string | null
}

interface BlockRow {
  readonly row: number
  readonly text_content: string
  readonly source: string
  readonly tool: string
  readonly scene: string
  readonly semantic_type: string
  readonly session: string
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
  'created_at',
  'updated_at',
  'first_clock',
  'first_event',
  'last_clock',
  'last_event',
] as const

/** Blocks and where each was said. */
export function blockTables(db: Database) {
  const addSource = db.prepare(`INSERT OR IGNORE INTO block_sources
    (ns, block, clock, event, session, turn, step, seq, time, origin, source, tool, scene, semantic_type, redacted, frame, text)
    VALUES (@ns, @block, @clock, @event, @session, @turn, @step, @seq, @time, @origin, @source, @tool, @scene,
      @semanticType, @redacted, @frame, @text)`)
  const sources = db.prepare<[number, string], SourceRow>(
    'SELECT * FROM block_sources WHERE ns = ? AND block = ? ORDER BY clock, event',
  )
  const find = db.prepare<[number, string], BlockRow>('SELECT * FROM memory_blocks WHERE ns = ? AND id = ?')
  const firstFrame = db
    .prepare<[number, string], string>(
      'SELECT frame FROM block_sources WHERE ns = ? AND block = ? AND frame IS NOT NULL ORDER BY clock, event LIMIT 1',
    )
    .pluck()
  const insert = db.prepare(
    `INSERT INTO memory_blocks (ns, id, ${COLUMNS.join(', ')}) VALUES (@ns, @id, ${COLUMNS.map(name => `@${name}`).join(', ')})`,
  )
  const update = db.prepare(
    `UPDATE memory_blocks SET ${COLUMNS.map(name => `${name} = @${name}`).join(', ')} WHERE row = @row`,
  )
  const recalled = db.prepare(`UPDATE memory_blocks SET last_recalled_at = (
      SELECT time FROM recall_hits h WHERE h.ns = memory_blocks.ns AND h.block = memory_blocks.id
      ORDER BY clock DESC, event DESC LIMIT 1) WHERE ns = ? AND id = ?`)

  /** Folds a commit; true when its block is new. */
  const foldCommit = (event: CommitEvent, ns: number, seq: number | undefined): boolean => {
    const id = blockId(event.text)
    const said = saidOnce(event)
    const canonical = canonicalText(event.text)
    const row = find.get(ns, id)
    addSource.run({
      ns,
      block: id,
      clock: event.clock,
      event: event.id,
      session: said.session,
      turn: event.at.turn ?? null,
      step: event.at.step ?? null,
      seq: seq ?? null,
      time: said.time,
      origin: event.origin,
      source: said.source,
      tool: said.tool,
      scene: said.scene,
      semanticType: said.semanticType,
      redacted: (event.redacted ?? []).join(' '),
      frame: said.frame === null ? null : JSON.stringify(said.frame),
      text: said.text === canonical ? null : said.text,
    })
    if (row === undefined) {
      const state = extend(undefined, said)
      const added = Number(insert.run({ ns, id, ...columns(state) }).lastInsertRowid)
      recalled.run(ns, id)
      index(added, ns, canonical, state)
      return true
    }
    const before = stateOf(row, readFrame(firstFrame.get(ns, id)))
    const late = compareOrder(said, before.last) < 0
    const state = late
      ? blockState(sources.all(ns, id).map(source => restore(source, canonical)))
      : extend(before, said)
    if (state === undefined) return false
    update.run({ row: row.row, ...columns(state) })
    if (placeOf(before) === placeOf(state) && before.first.id === state.first.id) return false
    index(row.row, ns, canonical, state)
    return false
  }

  const index = (row: number, ns: number, canonical: string, state: BlockState): void => {
    const { frame, conversation } = state
    indexBlock(db, {
      row,
      ns,
      canonicalText: canonical,
      clock: state.first.clock,
      saidAt: state.createdAt,
      ...(frame === null
        ? {}
        : {
            conversation: {
              session: conversation,
              position: frame.pageSeq ?? 0,
              speaker: frame.speaker ?? '',
              saidAt: frame.ts ?? state.createdAt,
            },
          }),
    })
  }

  return {
    foldCommit,
    /** Refreshes when a block was last recalled, if it is there. */
    touch: (ns: number, id: string): void => {
      recalled.run(ns, id)
    },
    has: (ns: number, id: string): boolean => find.get(ns, id) !== undefined,
  }
}

function saidOnce(event: CommitEvent): SaidOnce {
  return {
    clock: event.clock,
    id: event.id,
    time: event.at.time,
    text: event.text,
    source: event.source ?? '',
    tool: event.tool ?? '',
    scene: event.scene ?? '',
    semanticType: event.semanticType ?? '',
    session: event.at.session ?? '',
    frame: event.frame ?? null,
  }
}

function restore(row: SourceRow, canonical: string): SaidOnce {
  return {
    clock: row.clock,
    id: row.event,
    time: row.time,
    text: row.text ?? canonical,
    source: row.source,
    tool: row.tool,
    scene: row.scene,
    semanticType: row.semantic_type,
    session: row.session,
    frame: readFrame(row.frame ?? undefined),
  }
}

function readFrame(json: string | undefined): Frame | null {
  return json === undefined ? null : frameSchema.parse(JSON.parse(json))
}

function stateOf(row: BlockRow, frame: Frame | null): BlockState {
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

function columns(state: BlockState): Record<(typeof COLUMNS)[number], string | number | null> {
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
    created_at: state.createdAt,
    updated_at: state.updatedAt,
    first_clock: state.first.clock,
    first_event: state.first.id,
    last_clock: state.last.clock,
    last_event: state.last.id,
  }
}

/** What of a block's place in a conversation its index entry depends on. */
function placeOf({ frame, conversation, createdAt }: BlockState): string {
  return frame === null ? '' : JSON.stringify([conversation, frame.pageSeq, frame.speaker, frame.ts ?? createdAt])
}
