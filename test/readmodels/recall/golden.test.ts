/**
 * Twelve blocks, fifteen questions, three sizes of answer, compared to the last digit with `test/fixtures/golden/recall.json`.
 * When a change of the ranking is meant: `RENEW_GOLDEN=1 npx vitest run test/readmodels/recall/golden.test.ts`, then read
 * the difference before committing it. Renewed last when a question of only a time came to bring what was said then (its three
 * answers), and when the session share went from .15 to .1 (scores only).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RecallRequest } from '../../../src/readmodels/recall/index.ts'
import { ask, memoryOfNotes, type Note } from './memory.ts'

const STORED = new URL('../../fixtures/golden/recall.json', import.meta.url)

const said = (position: number, speaker: string): Pick<Note, 'said'> => ({
  said: { session: 'talk', position, speaker, saidAt: Date.UTC(2024, 4, 8, 10, position) },
})
const NOTES: readonly (string | Note)[] = [
  'svc-pay listens on port 8443',
  'svc-pay moved from port 8443 to port 9443',
  'cache|size=64MB',
  'cache|size=512MB',
  '生产环境只在每周四晚上发布，周五禁止上线。',
  '數據庫備份放在 /data/backup 目錄',
  'Release window is Thursday evening, never on a Friday.',
  'The importer fails with ERR_1042 when a file is empty.',
  { text: 'Where did you go last weekend?', ...said(1, 'Ann') },
  { text: 'To the lake, we paddled all Saturday.', ...said(2, 'Ben') },
  { text: 'Lovely! I painted the old harbour instead.', ...said(3, 'Ann') },
  { text: 'host is 10.0.0.5, its neighbour 10.0.0.55', scene: 'net/lab' },
]
const QUERIES = [
  'svc-pay port',
  '8443',
  'What is the cache size?',
  '周几晚上可以发布？',
  '数据库备份在哪个目录？',
  'Which evening do we release?',
  'ERR_1042',
  'What did Ann paint?',
  'When did Ben go to the lake?',
  '10.0.0.5',
  '10.0.0.6',
  'what happened on 8 May 2024',
  'who are you?',
  '  ?! ',
  'release 发布 port 9443',
]
const SIZES = [1, 3, 5]

const db = memoryOfNotes(...NOTES)
const answers = (rest: Partial<RecallRequest> = {}): unknown[] =>
  QUERIES.flatMap(query =>
    SIZES.map(topK => {
      const { hits, superseded, outcome, notice } = ask(db, query, { topK, history: true, ...rest })
      return {
        query,
        topK,
        outcome,
        ...(notice !== undefined && { notice }),
        hits: hits.map(({ id, score, exact, why }) => ({ id, score, exact, why })),
        superseded: superseded.map(({ id, by, reason }) => ({ id, by, reason })),
      }
    }),
  )

describe('golden answers', () => {
  it('are what they were: ids, order, scores, exact flags and reasons', () => {
    const now = answers()
    if (process.env.RENEW_GOLDEN === '1') writeFileSync(STORED, `${JSON.stringify(now, null, 1)}\n`)
    expect(NOTES).toHaveLength(12)
    expect(now).toHaveLength(15 * 3)
    expect(now).toEqual(JSON.parse(readFileSync(STORED, 'utf8')))
  })
  it('are the same from a memory filled backwards', () => {
    const backwards = memoryOfNotes(
      ...NOTES.map((note, i) => ({
        ...(typeof note === 'string' ? { text: note } : note),
        id: `blk_${String(i).padStart(4, '0')}`,
        clock: i + 1,
      })).reverse(),
    )
    const shape = (from: typeof db): unknown =>
      QUERIES.map(query => ask(from, query).hits.map(({ id, score, why }) => ({ id, score, why })))
    expect(shape(backwards)).toEqual(shape(db))
  })
  it.each([
    { vectors: [] },
    { vectors: [], fusion: 'rank' },
    { vectors: [], fusion: 'weighted' },
    { fusion: 'weighted' },
  ] as const)('of hybrid recall without an embedder are those of words: %j', rest =>
    expect(answers(rest)).toEqual(answers()),
  )
})
