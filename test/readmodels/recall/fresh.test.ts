/** Rows that are not in the full-text table yet are found like any other, before, while and after they go there. */
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FRESH_ROWS, mergeFresh } from '../../../src/readmodels/recall/fresh.ts'
import { forgetMemory, indexBlock, unindexBlock } from '../../../src/readmodels/recall/index.ts'
import { runs } from '../../support/events.ts'
import { ask, emptyMemory, memoryOfNotes, remember, texts } from './memory.ts'

const WORDS = ['alpha', 'beta', 'gamma', '网关', '端口', '8080', 'svc-pay']
const QUERIES = ['alpha', 'beta gamma', '网关端口', '8080', 'svc-pay alpha', 'which gamma?']

const arbText = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map(words => words.join(' '))
const arbStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('add' as const), text: arbText }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('take out', 'put in'), row: fc.integer({ min: 1, max: 9 }) }),
  },
)

const fresh = (db: Database) => Number(db.prepare('SELECT count(*) FROM recall_fresh').pluck().get())
const asked = (db: Database) =>
  QUERIES.map(query => ask(db, query).hits.map(({ id, score, why }) => ({ id, score, why })))

it('whatever is merged when, answers are those of an index that never was, and of one that nobody holds in memory', () => {
  fc.assert(
    fc.property(fc.array(arbStep, { minLength: 3, maxLength: 30 }), steps => {
      const [one, other] = [emptyMemory(), emptyMemory()]
      const said: string[] = []
      for (const [n, step] of steps.entries()) {
        if ('text' in step) {
          said.push(`${step.text} ${n}`)
          for (const db of [one, other]) remember(db, [`${step.text} ${n}`])
        } else if ('row' in step && step.row <= said.length) {
          const { row } = step
          for (const db of [one, other]) {
            if (step.do === 'take out') unindexBlock(db, row)
            else
              indexBlock(db, { row, ns: 1, canonicalText: said[row - 1] ?? '', clock: row, event: `evt_00000${row}` })
          }
        } else if (step.do === 'merge') mergeFresh(one)
        else if (step.do === 'ask') asked(one)
      }
      const held = asked(one)
      expect(held).toEqual(asked(other))
      forgetMemory(one)
      expect(asked(one)).toEqual(held)
      one.close()
      other.close()
    }),
    runs(60),
  )
})

it('they go to the full-text table by themselves when there are many, and are found on both sides', () => {
  const db = emptyMemory()
  remember(
    db,
    Array.from({ length: FRESH_ROWS - 1 }, (_, n) => `alpha ${n}`),
  )
  expect(fresh(db)).toBe(FRESH_ROWS - 1)
  expect(texts(ask(db, 'alpha 3'))[0]).toBe('alpha 3')
  remember(db, ['alpha tardy', 'alpha newest'])
  expect(fresh(db)).toBe(1)
  expect(
    db.prepare('SELECT count(*) FROM memory_blocks_fts WHERE memory_blocks_fts MATCH \'"1_alpha"\'').pluck().get(),
  ).toBe(FRESH_ROWS)
  expect(texts(ask(db, 'alpha tardy'))[0]).toBe('alpha tardy')
  expect(texts(ask(db, 'alpha newest'))[0]).toBe('alpha newest')
})

it('one that was merged in a transaction which was rolled back is found once', () => {
  const db = memoryOfNotes('alpha one', 'alpha two')
  expect(() =>
    db.transaction(() => {
      mergeFresh(db)
      expect(texts(ask(db, 'alpha'))).toHaveLength(2)
      throw new Error('no')
    })(),
  ).toThrow('no')
  expect(texts(ask(db, 'alpha'))).toHaveLength(2)
  expect(fresh(db)).toBe(2)
})
