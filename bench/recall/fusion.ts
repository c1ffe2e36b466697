/**
 * Quality of fused recall with stored vector rankings: `node bench/recall/fusion.ts --data SET_FOLDER [--fusion rank|weighted]`.
 * SET_FOLDER holds `vector-ranks.json`: `{model: {query: [doc ids, nearest first]}}`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Fusion, recall } from '../../src/readmodels/recall/index.ts'
import { readSet } from './evaluationSet.ts'
import { loadSet } from './loadSet.ts'
import { meanScores } from './score.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, fusion: { type: 'string', default: 'rank' } } })
if (values.data === undefined) {
  console.error('usage: node bench/recall/fusion.ts --data SET_FOLDER [--fusion rank|weighted]')
  process.exit(2)
}
const fusion: Fusion = values.fusion === 'weighted' ? 'weighted' : 'rank'
const set = readSet(values.data)
const { db, spaces } = loadSet(set)
const rows = new Map(set.corpus.map((line, i) => [line.id, i + 1]))
const stored = JSON.parse(readFileSync(join(values.data, 'vector-ranks.json'), 'utf8')) as Record<
  string,
  Record<string, string[]>
>

function score(answer: (query: (typeof set.queries)[number]) => readonly string[]): { text: string; r10: number } {
  const scores = meanScores(set.queries.map(query => ({ ranked: answer(query), gold: query.gold, category: '' })))
  return { text: `R@10 ${scores.r10.toFixed(3)} MRR ${scores.mrr10.toFixed(3)}`, r10: scores.r10 }
}

const ask = (query: (typeof set.queries)[number], near: readonly string[]): string[] => {
  const ns = spaces.get(query.scope ?? '') ?? 0
  // Stored rankings have places only: similarities that fall evenly stand for them.
  const vectors = near.flatMap((id, place) => {
    const row = rows.get(id)
    return row === undefined ? [] : [{ row, ns, similarity: 1 - place / 100 }]
  })
  return recall(db, { namespaces: [ns], query: query.text, topK: 10, vectors, fusion }).hits.map(hit => hit.id)
}

const words = score(query => ask(query, []))
console.log(`words alone: ${words.text}`)
for (const [model, ranks] of Object.entries(stored)) {
  const alone = score(query => ranks[query.id] ?? [])
  const fused = score(query => ask(query, ranks[query.id] ?? []))
  const gain = fused.r10 - Math.max(words.r10, alone.r10)
  console.log(
    `${model}: alone ${alone.text} · fused ${fused.text} · ${gain >= 0 ? '+' : ''}${gain.toFixed(3)} on the better input`,
  )
}
