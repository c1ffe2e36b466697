import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import DatabaseConstructor, { type Database } from 'better-sqlite3'
import type { Engine } from './engine.ts'
import { DIMENSION, vectorAt } from './vectors.ts'

/** The peers are installed in this folder alone: `npm ci` here. */
const require = createRequire(import.meta.url)

const bytes = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** sqlite-vec's vec0 table, float32, cosine. */
export class SqliteVec implements Engine {
  readonly name = 'sqlite-vec'
  private readonly folder = mkdtempSync(join(tmpdir(), 'vector-bench-'))
  private readonly path = join(this.folder, 'vec.db')
  private readonly db: Database = new DatabaseConstructor(this.path)
  private readonly add
  private readonly ask

  constructor() {
    const { load } = require('sqlite-vec') as { load(db: Database): void }
    load(this.db)
    this.db.pragma('journal_mode = WAL')
    this.db.pragma('synchronous = NORMAL')
    this.db.exec(`CREATE VIRTUAL TABLE vec USING vec0(embedding float[${DIMENSION}] distance_metric=cosine)`)
    this.add = this.db.prepare('INSERT INTO vec (rowid, embedding) VALUES (?, ?)')
    this.ask = this.db
      .prepare<[Buffer, number], number>('SELECT rowid FROM vec WHERE embedding MATCH ? AND k = ?')
      .pluck()
  }

  build(stored: Float32Array, count: number): void {
    this.db.transaction(() => {
      for (let at = 0; at < count; at++) this.add.run(BigInt(at + 1), bytes(vectorAt(stored, at)))
    })()
    this.db.pragma('wal_checkpoint(TRUNCATE)')
  }

  nearest(question: Float32Array, k: number): number[] {
    return this.ask.all(bytes(question), k).map(row => row - 1)
  }

  insert(vector: Float32Array, number: number): void {
    this.add.run(BigInt(number + 1), bytes(vector))
  }

  size() {
    return { disk: statSync(this.path).size }
  }

  close(): void {
    this.db.close()
    rmSync(this.folder, { recursive: true })
  }
}

interface UsearchIndex {
  add(key: bigint, vector: Float32Array, threads: number): void
  search(vector: Float32Array, k: number, threads: number): { keys: BigUint64Array }
}

/** usearch's graph, float32, cosine, in memory, its own defaults, one thread. */
export class Usearch implements Engine {
  readonly name = 'usearch'
  private readonly index: UsearchIndex

  constructor() {
    const { Index } = require('usearch') as { Index: new (options: object) => UsearchIndex }
    this.index = new Index({ dimensions: DIMENSION, metric: 'cos', quantization: 'f32' })
  }

  build(stored: Float32Array, count: number): void {
    for (let at = 0; at < count; at++) this.insert(vectorAt(stored, at), at)
  }

  nearest(question: Float32Array, k: number): number[] {
    return Array.from(this.index.search(question, k, 1).keys, Number)
  }

  insert(vector: Float32Array, number: number): void {
    this.index.add(BigInt(number), vector, 1)
  }

  size() {
    return {}
  }

  close(): void {}
}
