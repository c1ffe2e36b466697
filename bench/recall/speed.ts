/**
 * Speed of lexical recall against a ranked FTS5 OR over the same tokens:
 * `node bench/recall/speed.ts [--blocks 100000] [--language en|zh] [--questions 300]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { analyseQuery, analyseText } from '../../src/readmodels/analyse/index.ts'
import { forgetMemory, indexBlock, recall } from '../../src/readmodels/recall/index.ts'
import { openMemory } from './memoryTables.ts'
import { type Language, makeCorpus } from './synthetic.ts'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '100000' },
    language: { type: 'string', default: 'en' },
    questions: { type: 'string', default: '300' },
  },
})
const blocks = Number(values.blocks)
const language: Language = values.language === 'zh' ? 'zh' : 'en'
const folder = mkdtempSync(join(tmpdir(), 'recall-speed-'))
const db = openMemory(join(folder, 'memory.db'))
db.exec(
  "CREATE VIRTUAL TABLE ranked USING fts5(tokens, content='', contentless_delete=1, tokenize=\"ascii tokenchars '_'\")",
)
const { texts, questions } = makeCorpus(language, blocks, Number(values.questions))

const BATCH = 1_000
const began = performance.now()
const insert = db.prepare(
  `INSERT INTO memory_blocks (row, ns, id, text_content, created_at, first_clock, first_event, last_clock, last_event) VALUES (?, 1, ?, ?, 0, ?, ?, ?, ?)`,
)
for (let from = 0; from < texts.length; from += BATCH) {
  db.transaction(() => {
    texts.slice(from, from + BATCH).forEach((text, i) => {
      const row = from + i + 1
      insert.run(row, `blk_${row}`, text, row, `evt_${row}`, row, `evt_${row}`)
      indexBlock(db, { row, ns: 1, canonicalText: text, clock: row, event: `evt_${row}` })
    })
  })()
}
const perInsert = (performance.now() - began) / texts.length
const insertRanked = db.prepare('INSERT INTO ranked (rowid, tokens) VALUES (?, ?)')
db.transaction(() => {
  texts.forEach((text, i) => {
    const tokens = Array.from(analyseText(text).terms).flatMap(([token, count]) => Array<string>(count).fill(token))
    insertRanked.run(i + 1, tokens.join(' '))
  })
})()

const askRanked = db.prepare('SELECT rowid FROM ranked WHERE ranked MATCH ? ORDER BY rank LIMIT 10').pluck()
function rankedOr(question: string): number[] {
  const terms = analyseQuery(question).terms.filter(term => term.kind !== 'single')
  return askRanked.all(terms.map(term => `"${term.token}"`).join(' OR ')) as number[]
}
const ours = (question: string): number[] =>
  recall(db, { namespaces: [1], query: question, topK: 10 }).hits.map(hit => hit.row)

function measure(name: string, answer: (question: string) => number[]): number {
  const times: number[] = []
  let found = 0
  for (const { text, target } of questions) {
    const at = performance.now()
    const rows = answer(text)
    times.push(performance.now() - at)
    if (rows.includes(target + 1)) found++
  }
  times.sort((a, b) => a - b)
  const quantile = (p: number): number => times[Math.floor(p * (times.length - 1))] ?? 0
  console.log(
    `${name}: p50 ${quantile(0.5).toFixed(2)} p95 ${quantile(0.95).toFixed(2)} max ${quantile(1).toFixed(1)} ms · R@10 ${(found / questions.length).toFixed(3)}`,
  )
  return quantile(0.95)
}

console.log(`${language}, ${blocks} blocks, ${perInsert.toFixed(3)} ms an insert`)
measure('ranked FTS5 OR, first pass', rankedOr)
const slow = measure('ranked FTS5 OR, warm', rankedOr)
forgetMemory(db)
const coldBegan = performance.now()
ours(questions[0]?.text ?? '')
console.log(`recall, very first: ${(performance.now() - coldBegan).toFixed(1)} ms`)
measure('recall, first pass', ours)
const fast = measure('recall, warm', ours)
console.log(
  `warm p95: ${(slow / fast).toFixed(1)} times faster; memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
)
db.close()
rmSync(folder, { recursive: true })
