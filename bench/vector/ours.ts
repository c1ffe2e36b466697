import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/readmodels/database/open.ts'
import { forgetShelves, HeldShelves, heldShelves } from '../../src/readmodels/vectors/held.ts'
import { buildCentroid, nearest, vectorTable } from '../../src/readmodels/vectors/index.ts'
import { PAGE } from '../../src/readmodels/vectors/scan/page.ts'
import { Pages } from '../../src/readmodels/vectors/scan/pages.ts'
import type { Engine } from './engine.ts'
import { vectorAt } from './vectors.ts'

const NS = 1
const SPACE = 'bench'

/** Vector search as it is, over a database file, with everything that an event's fold does for its vector. */
export class Ours implements Engine {
  readonly name: string
  private readonly folder = mkdtempSync(join(tmpdir(), 'vector-bench-'))
  private readonly path = join(this.folder, 'memory.db')
  private readonly db = openDatabase(this.path).db
  private readonly table = vectorTable(this.db)
  private readonly addBlock = this.db.prepare(
    `INSERT INTO memory_blocks (row, ns, id, text_content, created_at, updated_at, first_clock, first_event, last_clock, last_event)
     VALUES (?, ${NS}, ?, '', 0, 0, ?, '', 0, '')`,
  )

  constructor(fast: boolean, bound = 256 << 20) {
    this.name = fast ? 'dsh-hologram' : 'dsh-hologram, without WebAssembly'
    forgetShelves(this.db, new HeldShelves(new Pages(bound, fast)))
    this.db.prepare("INSERT INTO namespaces (ns, id, label, clock, event) VALUES (?, 'ns', '', 1, '')").run(NS)
  }

  build(stored: Float32Array, count: number): void {
    const BATCH = 5_000
    for (let from = 0; from < count; from += BATCH) {
      this.db.transaction(() => {
        for (let at = from; at < Math.min(count, from + BATCH); at++) this.put(vectorAt(stored, at), at)
      })()
    }
    this.db.pragma('wal_checkpoint(TRUNCATE)')
  }

  /** Builds the centroid and, where it applies, the codes anew. */
  centre(): number | undefined {
    return buildCentroid(this.db, SPACE)?.stats.norm
  }

  nearest(question: Float32Array, k: number): number[] {
    return nearest(this.db, { namespaces: [NS], space: SPACE, vector: question, k }).hits.map(({ row }) => row - 1)
  }

  /** How much each of the nearest has to do with the question, by number. */
  relevances(question: Float32Array, k: number): Map<number, number> {
    const { hits } = nearest(this.db, { namespaces: [NS], space: SPACE, vector: question, k })
    return new Map(hits.map(({ row, relevance }) => [row - 1, relevance]))
  }

  insert(vector: Float32Array, number: number): void {
    this.db.transaction(() => this.put(vector, number))()
  }

  size() {
    // A page of first halves comes with as much of second ones and two numbers a vector.
    return { held: heldShelves(this.db).pages.held * PAGE * 2.1, disk: statSync(this.path).size }
  }

  close(): void {
    this.db.close()
    rmSync(this.folder, { recursive: true })
  }

  private put(vector: Float32Array, number: number): void {
    const id = `blk_${number}`
    const data = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
    this.addBlock.run(number + 1, id, number + 1)
    this.table.put(
      { ns: NS, kind: 'block', id },
      { fingerprint: SPACE, data, captured: false, clock: number + 1, id: 'e' },
    )
  }
}
