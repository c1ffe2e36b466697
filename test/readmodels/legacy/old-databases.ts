/** Databases as the earlier port left them, and what a folder holds byte for byte. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { tempDir } from '../../support/temp.ts'

export type OldShape = 'A' | 'B' | 'unfinished B'

export interface OldRow {
  readonly text: unknown
  readonly id?: string
  readonly modality?: string
  readonly source?: string
  readonly scene?: string
  readonly semanticType?: string
  readonly time?: unknown
  readonly vector?: string
  readonly fingerprint?: string
}

export interface OldEdge {
  readonly source: string
  readonly target: string
  readonly type: string
  readonly sourceKind?: string
  readonly targetKind?: string
  readonly confidence?: number
  readonly status?: string
}

export interface OldFile {
  readonly shape: OldShape
  readonly rows: readonly OldRow[]
  readonly edges?: readonly OldEdge[]
  readonly centroid?: 'old' | 'new'
  /** Rows in it; none by default. */
  readonly centroids?: number
}

export const TIME = 1_700_000_000_000

/** The id the earlier port gave a text. */
export function oldId(text: unknown): string {
  return `blk_${createHash('sha256').update(String(text), 'utf8').digest('hex').slice(0, 12)}`
}

const BLOCKS = `CREATE TABLE memory_blocks (id TEXT PRIMARY KEY, modality TEXT NOT NULL, text_content TEXT,
  source TEXT, scene TEXT, semantic_type TEXT, created_at INTEGER, updated_at INTEGER)`
const EDGES = `CREATE TABLE memory_block_edges (source_kind TEXT, source_id TEXT, target_kind TEXT, target_id TEXT, type TEXT,
  confidence REAL, session_id TEXT, turn_id INTEGER, status TEXT, created_at INTEGER)`
const CENTROID = {
  old: ['CREATE TABLE graph_centroid (id INTEGER PRIMARY KEY, centroid BLOB, n INTEGER)', "(NULL, x'0102', 7)"],
  new: [
    'CREATE TABLE graph_centroid (fingerprint TEXT PRIMARY KEY, dim INTEGER, vector_count INTEGER, vector TEXT, stats TEXT, built_at INTEGER)',
    "('f' || abs(random()), 2, 1, '[1,0]', '{}', 1)",
  ],
} as const

/** Writes an old database into the `.dsh-memory` of a fresh project. */
export function oldDatabase(file: OldFile, path = join(tempDir(), '.dsh-memory', 'memory.db')): string {
  const db = openOld(file, path)
  db.close()
  return path
}

/** The same, left open. */
export function openOld(
  { shape, rows, edges = [], centroid, centroids = 0 }: OldFile,
  path: string,
): Database.Database {
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  db.exec(BLOCKS)
  db.exec(EDGES)
  if (shape !== 'A') {
    db.exec("ALTER TABLE memory_blocks ADD COLUMN vector TEXT DEFAULT ''")
    db.exec("ALTER TABLE memory_blocks ADD COLUMN fingerprint TEXT DEFAULT ''")
  }
  if (shape === 'B') db.pragma('user_version = 1')
  const [table, values] = CENTROID[centroid ?? (shape === 'A' ? 'old' : 'new')]
  db.exec(table)
  for (let n = 0; n < centroids; n++) db.exec(`INSERT INTO graph_centroid VALUES ${values}`)
  db.exec('BEGIN')
  for (const [n, row] of rows.entries()) {
    const { text, source = '', scene = '', semanticType = '', modality = 'text', time = TIME + n } = row
    const values = [row.id ?? oldId(text), modality, text, source, scene, semanticType, time, time]
    const vector = shape === 'A' ? [] : [row.vector ?? '', row.fingerprint ?? '']
    const all = [...values, ...vector]
    db.prepare(`INSERT INTO memory_blocks VALUES (${all.map(() => '?').join(', ')})`).run(...all)
  }
  for (const [n, edge] of edges.entries()) {
    const { sourceKind = 'block', source, targetKind = 'block', target, type, confidence = 1, status = 'active' } = edge
    db.prepare('INSERT INTO memory_block_edges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      sourceKind,
      source,
      targetKind,
      target,
      type,
      confidence,
      'old-session',
      3,
      status,
      TIME + 100 + n,
    )
  }
  db.exec('COMMIT')
  return db
}

/** Every file of a folder by name, as a hash; to see that nothing changed and nothing came. */
export function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return Object.fromEntries(
    files
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
      .map(path => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}
