/**
 * Quality of lexical recall on evaluation sets, in process: `node bench/recall/quality.ts --data DIR [--set NAME]… [--out DIR]
 * [--split people|clauses|pairs|nameless]…`. `--split` asks further questions made by rule (`split.ts`) as `alsoAsk`.
 * DIR holds set folders; each is scored by the definitions of its `score.mjs`. `--out` writes run files for it.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { recall } from '../../src/readmodels/recall/index.ts'
import { type EvaluationSet, readSet } from './evaluationSet.ts'
import { loadSet } from './loadSet.ts'
import { type Answered, meanScores } from './score.ts'
import { SPLITTERS } from './split.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string', multiple: true },
    out: { type: 'string' },
    split: { type: 'string', multiple: true, default: [] },
    misses: { type: 'boolean', default: false },
  },
})
if (values.data === undefined) {
  console.error('usage: node bench/recall/quality.ts --data DIR [--set NAME]… [--out DIR] [--misses]')
  process.exit(2)
}

function sessionOf(set: EvaluationSet): (id: string) => string {
  if (!set.bySession) return id => id
  const sessions = new Map(set.corpus.map(line => [line.id, line.session ?? line.id.split('#')[0] ?? line.id]))
  return id => sessions.get(id) ?? id
}

const percent = (value: number): string => value.toFixed(3)

function run(folder: string): void {
  const set = readSet(folder)
  const began = performance.now()
  const { db, spaces } = loadSet(set)
  const loaded = performance.now() - began
  const asSession = sessionOf(set)
  const times: number[] = []
  const outcomes = new Map<string, number>()
  const runLines: string[] = []
  let split = 0
  const answers = set.queries.map((query): Answered => {
    const at = performance.now()
    const alsoAsk = values.split.flatMap(name => SPLITTERS[name]?.(query.text) ?? []).slice(0, 7)
    if (alsoAsk.length > 0) split++
    const result = recall(db, {
      namespaces: [spaces.get(query.scope ?? '') ?? 0],
      query: query.text,
      alsoAsk,
      topK: 50,
    })
    const ms = performance.now() - at
    times.push(ms)
    outcomes.set(result.outcome, (outcomes.get(result.outcome) ?? 0) + 1)
    for (const problem of result.degraded) console.log(`  degraded: ${query.id}: ${problem}`)
    const ids = result.hits.map(hit => hit.id)
    runLines.push(JSON.stringify({ id: query.id, ranked: ids, ms }))
    const unique = (list: readonly string[]): string[] => [...new Set(list.map(asSession))]
    const answered = { ranked: unique(ids), gold: unique(query.gold), category: query.category ?? 'all' }
    if (values.misses && result.outcome !== 'hits')
      console.log(`  ${result.outcome}: ${query.text} ${result.notice ?? ''}`)
    return answered
  })
  db.close()
  if (values.out !== undefined) {
    mkdirSync(values.out, { recursive: true })
    writeFileSync(join(values.out, `${set.name}.jsonl`), `${runLines.join('\n')}\n`)
  }
  const all = meanScores(answers)
  times.sort((a, b) => a - b)
  const quantile = (p: number): string => (times[Math.floor(p * (times.length - 1))] ?? 0).toFixed(2)
  console.log(
    `${set.name}: R@10 ${percent(all.r10)} MRR ${percent(all.mrr10)} R@1 ${percent(all.r1)} R@5 ${percent(all.r5)}` +
      ` · p50 ${quantile(0.5)} p95 ${quantile(0.95)} ms · load ${loaded.toFixed(0)} ms · ${JSON.stringify(Object.fromEntries(outcomes))}`,
  )
  if (values.split.length > 0) console.log(`  ${split} of ${answers.length} questions made several`)
  const categories = Map.groupBy(answers, answer => answer.category)
  if (categories.size > 1) {
    for (const [category, rows] of categories) {
      const scores = meanScores(rows)
      console.log(`  ${category} (${rows.length}): R@10 ${percent(scores.r10)} MRR ${percent(scores.mrr10)}`)
    }
  }
}

const { data } = values
const folders = values.set ?? readdirSync(data).filter(name => existsSync(join(data, name, 'meta.json')))
for (const name of folders) run(join(data, name))
