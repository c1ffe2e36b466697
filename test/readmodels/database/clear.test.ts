/** Emptied in place and folded again, a database is the same memory. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Store } from '../../../src/readmodels/worker/store.ts'
import { arbEvents, arbReordered, runs } from '../../support/events.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'
import { answers, count, dump } from '../projector/folding.ts'

afterEach(removeTempDirs)

describe('clear', () => {
  it('leaves no row of memory, and folding again gives the same dump and the same answers', () => {
    const journal = tempDir()
    fc.assert(
      fc.property(arbReordered(arbEvents(15)), ({ items, reordered }) => {
        const store = new Store({ path: ':memory:', journal, keepJournal: true })
        store.fold(items)
        const db = store.database
        const [before, asked] = [dump(db), answers(db)]
        store.clear()
        expect(dump(db)).toBe('')
        for (const table of ['memory_blocks_fts', 'symbol', 'recall_terms', 'recall_rank', 'recall_fact']) {
          expect(count(db, table), table).toBe(0)
        }
        expect(answers(db).flatMap(({ hits }) => hits)).toEqual([])
        store.fold(reordered)
        expect(dump(db)).toBe(before)
        expect(answers(db)).toEqual(asked)
        store.close()
      }),
      runs(40),
    )
  })
})
