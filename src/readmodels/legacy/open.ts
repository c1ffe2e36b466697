import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { sqliteCode } from '../database/errors.ts'
import { isSound } from '../database/open.ts'
import { type LegacyBlock, legacyBlocks } from './blocks.ts'
import { type LegacyEdge, legacyEdges, unreadableEdges } from './edges.ts'
import { LegacyDatabaseError } from './errors.ts'
import { privateCopy } from './private-copy.ts'
import { probe, type Shape } from './shape.ts'

/** A database of the earlier port, open for reading; a private copy of it is what is open. */
export interface LegacyDatabase {
  readonly shape: Shape
  blocks(): Generator<LegacyBlock>
  edges(): Generator<LegacyEdge>
  /** Edges that are there in a form that cannot be read. */
  readonly unreadableEdges: number
  close(): void
}

/** Opens a `.dsh-memory/memory.db`. Throws `LegacyDatabaseError` for whatever is none, or is damaged. */
export function openLegacy(path: string): LegacyDatabase {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new LegacyDatabaseError('missing', `there is no file ${path}`)
  }
  const copy = privateCopy(path)
  let db: Database.Database | undefined
  try {
    db = new Database(copy.path)
    // A schema is code, and this one is anybody's.
    db.pragma('trusted_schema = OFF')
    const shape = probe(db, path)
    if (!isSound(db)) throw damaged(path)
    db.pragma('query_only = ON')
    const open = db
    return {
      shape,
      blocks: () => legacyBlocks(open, shape),
      edges: () => legacyEdges(open, shape),
      unreadableEdges: unreadableEdges(open, shape),
      close: () => {
        open.close()
        copy.dispose()
      },
    }
  } catch (error) {
    db?.close()
    copy.dispose()
    const code = sqliteCode(error)
    if (code === 'SQLITE_NOTADB') {
      throw new LegacyDatabaseError('not_a_database', `${path} is not an SQLite database`, { cause: error })
    }
    throw code === '' ? error : damaged(path, error)
  }
}

function damaged(path: string, cause?: unknown): LegacyDatabaseError {
  const detail = cause instanceof Error ? ` (${cause.message})` : ''
  return new LegacyDatabaseError(
    'damaged',
    `${path} is damaged${detail}; mend a copy of it with \`sqlite3 ${path} .recover\`, and import that`,
    { cause },
  )
}
