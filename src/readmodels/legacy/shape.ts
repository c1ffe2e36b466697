import type { Database } from 'better-sqlite3'
import { APPLICATION_ID } from '../database/schema.ts'
import { LegacyDatabaseError } from './errors.ts'

/**
 * How far the file had come: `A` has no vectors, `B` has them and says so in `user_version`, `unfinished B` has some of
 * the columns of `B` while the version is still 0, because its migration was cut off.
 */
export type Phase = 'A' | 'B' | 'unfinished B'

/** `old`: a centroid as phase A had it. `new`: one row for each fingerprint. */
export interface Centroid {
  readonly kind: 'none' | 'old' | 'new'
  readonly rows: number
  readonly columns: readonly string[]
}

export interface Shape {
  readonly phase: Phase
  readonly userVersion: number
  /** Names of columns, in lower case. */
  readonly blocks: ReadonlySet<string>
  readonly edges: ReadonlySet<string>
  readonly centroid: Centroid
}

/** Looks at the columns that are there; what the version says of them is not relied on. */
export function probe(db: Database, path: string): Shape {
  if (db.pragma('application_id', { simple: true }) === APPLICATION_ID) {
    throw new LegacyDatabaseError(
      'our_database',
      `${path} is a database of this dsh-hologram, which is made from sessions and journal; use \`export\` to take memory elsewhere`,
    )
  }
  const blocks = columns(db, 'memory_blocks')
  if (!blocks.has('id') || !blocks.has('text_content')) {
    throw new LegacyDatabaseError(
      'foreign_database',
      `${path} is a database of another application: it has no table memory_blocks with id and text_content`,
    )
  }
  const userVersion = Number(db.pragma('user_version', { simple: true }))
  const hasVector = blocks.has('vector')
  const hasFingerprint = blocks.has('fingerprint')
  const whole = hasVector && hasFingerprint && userVersion > 0
  const phase = whole ? 'B' : hasVector || hasFingerprint ? 'unfinished B' : 'A'
  return { phase, userVersion, blocks, edges: columns(db, 'memory_block_edges'), centroid: centroidOf(db) }
}

function centroidOf(db: Database): Centroid {
  const found = columns(db, 'graph_centroid')
  if (found.size === 0) return { kind: 'none', rows: 0, columns: [] }
  const rows = Number(db.prepare('SELECT count(*) FROM graph_centroid').pluck().get())
  const kind = found.has('fingerprint') && found.has('vector') ? 'new' : 'old'
  return { kind, rows, columns: [...found] }
}

/** The columns of a table; none where there is no such table. A view is no table. */
function columns(db: Database, table: string): ReadonlySet<string> {
  const isTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck()
  if (isTable.get(table) === undefined) return new Set()
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  return new Set(names.map(name => name.toLowerCase()))
}
