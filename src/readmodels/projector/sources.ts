import type { Database } from 'better-sqlite3'
import { type CommitEvent, type Frame, frameSchema, type Order, type Origin } from '../../events/index.ts'
import type { SaidOnce } from './block-state.ts'

interface Row {
  readonly clock: number
  readonly event: string
  readonly session: string
  readonly time: number
  readonly origin: Origin
  readonly source: string
  readonly tool: string
  readonly scene: string
  readonly semantic_type: string
  readonly frame: string | null
  readonly text: string | null
}

/** One commit of a block, and whether a tombstone covers it. */
export interface Source {
  readonly ns: number
  readonly block: string
  /** The canonical text. */
  readonly canonical: string
  readonly event: CommitEvent
  readonly seq: number | undefined
  readonly dead: boolean
}

/**
 * Every place a block was said, one row a commit. The text is stored where it is not the canonical one. Of a commit
 * that a purge covers only where and when is kept.
 */
export function sourceTable(db: Database) {
  const add = db.prepare(`INSERT OR IGNORE INTO block_sources
    (ns, block, clock, event, session, turn, step, seq, time, origin, source, tool, scene, semantic_type, redacted, frame, text, dead)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const living = db.prepare<[number, string], Row>(
    'SELECT * FROM block_sources WHERE ns = ? AND block = ? AND dead = 0 ORDER BY clock, event',
  )
  const firstFrame = db
    .prepare<[number, string], string>(
      'SELECT frame FROM block_sources WHERE ns = ? AND block = ? AND frame IS NOT NULL ORDER BY clock, event LIMIT 1',
    )
    .pluck()
  const erase = db.prepare(
    `UPDATE block_sources SET dead = 1, source = '', tool = '', scene = '', semantic_type = '', frame = NULL, text = NULL
     WHERE ns = ? AND block = ? AND dead = 0 AND event = ?`,
  )
  const namespaces = db
    .prepare<[string], number>(
      'SELECT ns FROM namespaces n WHERE EXISTS (SELECT 1 FROM block_sources s WHERE s.ns = n.ns AND s.block = ?)',
    )
    .pluck()

  return {
    add({ ns, block, canonical, event, seq, dead }: Source): void {
      const said = saidOnce(event)
      const kept = dead ? { ...said, source: '', tool: '', scene: '', semanticType: '', frame: null, text: '' } : said
      add.run(
        ns,
        block,
        event.clock,
        event.id,
        said.session,
        event.at.turn ?? null,
        event.at.step ?? null,
        seq ?? null,
        said.time,
        event.origin,
        kept.source,
        kept.tool,
        kept.scene,
        kept.semanticType,
        (event.redacted ?? []).join(' '),
        kept.frame === null ? null : JSON.stringify(kept.frame),
        dead || said.text === canonical ? null : said.text,
        dead ? 1 : 0,
      )
    },

    /** The commits no purge covers, in event order. */
    living(ns: number, block: string, canonical: string): Array<SaidOnce & { readonly origin: Origin }> {
      return living.all(ns, block).map(row => restore(row, canonical))
    },

    firstFrame: (ns: number, block: string): Frame | null => readFrame(firstFrame.get(ns, block)),

    /** Forgets what a commit said. */
    erase: (ns: number, block: string, commit: Order): void => {
      erase.run(ns, block, commit.id)
    },

    /** Numbers of the namespaces in which a block was said. */
    namespacesOf: (block: string): number[] => namespaces.all(block),
  }
}

export type Sources = ReturnType<typeof sourceTable>

/** A commit as the fold needs it. */
export function saidOnce(event: CommitEvent): SaidOnce {
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
    // A frame that says nothing is none.
    frame: event.frame === undefined || Object.keys(event.frame).length === 0 ? null : event.frame,
  }
}

function restore(row: Row, canonical: string): SaidOnce & { readonly origin: Origin } {
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
    origin: row.origin,
  }
}

function readFrame(json: string | undefined): Frame | null {
  return json === undefined ? null : frameSchema.parse(JSON.parse(json))
}
