import { join } from 'node:path'
import { forgetMemory, indexBlock, recall } from '../../../src/readmodels/recall/index.ts'
import { openMemory } from '../memoryTables.ts'
import type { EngineMaker } from './engine.ts'

const BATCH = 1_000

/** Recall as the worker runs it: the same index, the same SQLite settings, one connection. */
export const ours: EngineMaker = ({ folder }) => {
  const db = openMemory(join(folder, 'memory.db'))
  const insert = db.prepare(
    `INSERT INTO memory_blocks (row, ns, id, text_content, created_at, first_clock, first_event, last_clock, last_event)
     VALUES (?, 1, ?, ?, 0, ?, ?, ?, ?)`,
  )
  let rows = 0
  const add = (text: string): void => {
    const row = ++rows
    insert.run(row, `blk_${row}`, text, row, `evt_${row}`, row, `evt_${row}`)
    indexBlock(db, { row, ns: 1, canonicalText: text, clock: row, event: `evt_${row}` })
  }
  const addAll = db.transaction((texts: readonly string[]) => texts.forEach(add))
  return {
    fill(texts) {
      for (let from = 0; from < texts.length; from += BATCH) addAll(texts.slice(from, from + BATCH))
    },
    addOne: text => addAll([text]),
    forget: () => forgetMemory(db),
    ask: question => recall(db, { namespaces: [1], query: question, topK: 10 }).hits.map(hit => hit.row - 1),
    close: () => db.close(),
  }
}
