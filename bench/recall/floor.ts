/**
 * What a floor loses and lets through: scores of right hits against the best hit of questions about nothing stored.
 * `node bench/recall/floor.ts [--floor .25]… [--data DIR] [--top 5]`
 *
 * Memories of 5 to 6,000 blocks come from `test/fixtures/tiers`. With `--data`, the sets in DIR too: part of a set's facts
 * with questions about that part and about the rest; conversations with questions of their own and of other conversations.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { recall } from '../../src/readmodels/recall/index.ts'
import { sampleMemories } from '../../test/fixtures/tiers/memories.ts'
import { type EvaluationSet, readSet } from './evaluationSet.ts'
import { loadSet } from './loadSet.ts'
import { seeded } from './synthetic.ts'

const { values } = parseArgs({
  options: {
    floor: { type: 'string', multiple: true, default: ['0.2', '0.23', '0.25', '0.28', '0.3'] },
    data: { type: 'string' },
    top: { type: 'string', default: '5' },
  },
})
const topK = Number(values.top)
const floors = values.floor.map(Number)

/** Scores of right hits among the best `topK`, and of the best hit of the others: 0 where there was none. */
interface Scores {
  readonly right: number[]
  readonly wrong: number[]
  asked: number
}
const groups = new Map<string, Scores>()

function ask(
  db: Parameters<typeof recall>[0],
  group: string,
  ns: number,
  query: string,
  gold?: readonly string[],
): void {
  const scores = groups.get(group) ?? { right: [], wrong: [], asked: 0 }
  groups.set(group, scores)
  const { hits } = recall(db, { namespaces: [ns], query, topK })
  if (gold === undefined) {
    scores.wrong.push(Math.min(1, hits[0]?.score ?? 0))
    return
  }
  scores.asked++
  const hit = hits.find(one => gold.includes(one.id))
  if (hit !== undefined) scores.right.push(Math.min(1, hit.score))
}

for (const { language, size, blocks, answered, elsewhere } of sampleMemories()) {
  const corpus = blocks.map(block => ({ ...block }))
  const { db } = loadSet({ name: '', kind: 'facts', bySession: false, corpus, queries: [] })
  for (const { text, gold } of answered) ask(db, `${language} ${size}`, 1, text, [gold])
  for (const text of elsewhere) ask(db, `${language} ${size}`, 1, text)
  db.close()
}

function askFacts(set: EvaluationSet, size: number, times: number): void {
  const random = seeded(size)
  for (let i = 0; i < times; i++) {
    const corpus = set.corpus.filter(() => random() < size / set.corpus.length)
    const held = new Set(corpus.map(line => line.id))
    const { db, spaces } = loadSet({ ...set, corpus: corpus.map(({ scope: _, ...line }) => line) })
    for (const query of set.queries) {
      if (random() > 150 / set.queries.length / times) continue
      const gold = query.gold.filter(id => held.has(id))
      ask(db, `${set.name} ${size}`, spaces.get('') ?? 0, query.text, gold.length > 0 ? gold : undefined)
    }
    for (const query of set.queries.filter(one => one.gold.some(id => held.has(id))).slice(0, 60)) {
      ask(db, `${set.name} ${size}`, spaces.get('') ?? 0, query.text, query.gold)
    }
    db.close()
  }
}

function askConversations(set: EvaluationSet): void {
  const { db, spaces } = loadSet(set)
  const scopes = [...spaces.keys()]
  set.queries.forEach((query, i) => {
    const own = spaces.get(query.scope ?? '') ?? 0
    const others = scopes.filter(scope => scope !== (query.scope ?? ''))
    ask(db, set.name, own, query.text, query.gold)
    ask(db, set.name, spaces.get(others[i % others.length] ?? '') ?? 0, query.text)
  })
  db.close()
}

const { data } = values
for (const name of data === undefined
  ? []
  : readdirSync(data).filter(one => existsSync(join(data, one, 'meta.json')))) {
  const set = readSet(join(data ?? '', name))
  if (set.kind === 'conversation') askConversations(set)
  else for (const size of [20, Math.floor(set.corpus.length / 2)]) askFacts(set, size, size === 20 ? 10 : 1)
}

const quantile = (list: readonly number[], p: number): string =>
  ([...list].sort((a, b) => a - b)[Math.floor(p * (list.length - 1))] ?? 0).toFixed(2)
const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)}`
console.log(
  `memory | right found of asked | right 2 % / 10 % / 50 % | elsewhere 50 % / 90 % / max | per floor: lost % / let through %`,
)
for (const [group, { right, wrong, asked }] of groups) {
  const perFloor = floors.map(floor => {
    const lost = percent(right.filter(score => score < floor).length, right.length)
    return `${floor}: ${lost} / ${percent(wrong.filter(score => score >= floor).length, wrong.length)}`
  })
  const spread = `${quantile(right, 0.02)} / ${quantile(right, 0.1)} / ${quantile(right, 0.5)}`
  const others = `${quantile(wrong, 0.5)} / ${quantile(wrong, 0.9)} / ${quantile(wrong, 1)}`
  console.log(
    `${group} | ${right.length} of ${asked} | ${spread} | ${others} (${wrong.length}) | ${perFloor.join(' · ')}`,
  )
}
