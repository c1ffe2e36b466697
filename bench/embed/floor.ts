/**
 * What a floor loses and lets through by meaning alone: relevance of right hits against the best of questions about nothing
 * stored, in the everyday memories of `test/fixtures/tiers` (English), with the vectors of a service in the `openai` protocol:
 * `node bench/embed/floor.ts URL`.
 */
import { sampleMemories } from '../../test/fixtures/tiers/memories.ts'
import { Ours } from '../vector/ours.ts'

const [, , url = ''] = process.argv
const FLOORS = [0.15, 0.25]
/** Memories of more blocks than this take too long to embed. */
const MOST = 50
const vectors = new Map<string, Float32Array>()

async function embed(texts: readonly string[]): Promise<Float32Array[]> {
  const fresh = [...new Set(texts)].filter(text => !vectors.has(text))
  for (let from = 0; from < fresh.length; from += 32) {
    const input = fresh.slice(from, from + 32)
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ model: 'bench', input }) })
    const { data } = (await response.json()) as { data: { index: number; embedding: number[] }[] }
    for (const { index, embedding } of data) vectors.set(input[index] ?? '', Float32Array.from(embedding))
  }
  return texts.map(text => vectors.get(text) ?? new Float32Array(0))
}

const groups = new Map<number, { right: number[]; wrong: number[] }>()
for (const { language, size, blocks, answered, elsewhere } of sampleMemories()) {
  if (language !== 'en' || size > MOST) continue
  const scores = groups.get(size) ?? { right: [], wrong: [] }
  groups.set(size, scores)
  const memory = new Ours(true)
  for (const [at, vector] of (await embed(blocks.map(({ text }) => text))).entries()) memory.insert(vector, at)
  const asked = await embed([...answered.map(({ text }) => text), ...elsewhere])
  for (const [at, question] of asked.entries()) {
    const hits = memory.relevances(question, blocks.length)
    const gold = answered[at]?.gold
    if (gold === undefined) scores.wrong.push(Math.max(0, ...hits.values()))
    else scores.right.push(hits.get(blocks.findIndex(({ id }) => id === gold)) ?? 0)
  }
  memory.close()
}
for (const [size, { right, wrong }] of groups) {
  const floors = FLOORS.map(
    floor =>
      `floor ${floor}: ${share(right, score => score < floor)} lost, ${share(wrong, score => score >= floor)} let through`,
  )
  console.log(
    `${size} blocks: right ${quantile(right, 0.02)} (lowest 2 %), ${quantile(right, 0.5)} (median); others ${quantile(wrong, 0.5)}; ${floors.join('; ')}`,
  )
}

function share(scores: readonly number[], which: (score: number) => boolean): string {
  return `${Math.round((100 * scores.filter(which).length) / scores.length)} %`
}

function quantile(scores: readonly number[], part: number): string {
  return ([...scores].sort((a, b) => a - b)[Math.floor(part * (scores.length - 1))] ?? 0).toFixed(2)
}
