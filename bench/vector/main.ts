/**
 * Vector search against a plain scan, sqlite-vec and usearch:
 * `node bench/vector/main.ts [--count 100000] [--shape uniform|clustered|cone] [--questions 200] [--engines ours,plain,sqlite-vec,usearch]`.
 * The peers are optional: `npm ci` in this folder. One line an engine. Times are milliseconds by the clock; beside them
 * is what a question took of a processor on average, which says more on a machine that others use too.
 */
import { parseArgs } from 'node:util'
import type { Engine } from './engine.ts'
import { Ours } from './ours.ts'
import { SqliteVec, Usearch } from './peers.ts'
import { FloatScan } from './scan.ts'
import { makeVectors, type Shape, vectorAt } from './vectors.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    shape: { type: 'string', default: 'clustered' },
    questions: { type: 'string', default: '200' },
    engines: { type: 'string', default: 'ours' },
  },
})
const K = 10
const INSERTS = 50
const count = Number(values.count)
const wanted = values.engines.split(',')
const { stored, asked } = makeVectors(values.shape as Shape, count + INSERTS, Number(values.questions))
console.log(`${count} × 384, ${values.shape}, ${asked.length} questions, k = ${K}`)

const scan = new FloatScan(values.shape === 'cone')
scan.build(stored, count)
const truth = measure(scan, asked, undefined)

if (wanted.includes('ours')) run(new Ours(true))
if (wanted.includes('plain')) run(new Ours(false))
if (wanted.includes('sqlite-vec')) run(new SqliteVec())
if (wanted.includes('usearch')) run(new Usearch())

function run(engine: Engine): void {
  const began = performance.now()
  engine.build(stored, count)
  const built = performance.now() - began
  const facts = [`build ${(built / 1000).toFixed(1)} s`]
  if (engine instanceof Ours && values.shape === 'cone') {
    const at = performance.now()
    const norm = engine.centre() ?? 0
    facts.push(`centroid ${norm.toFixed(2)} in ${((performance.now() - at) / 1000).toFixed(1)} s`)
  }
  const first = performance.now()
  engine.nearest(asked[0] ?? new Float32Array(0), K)
  facts.push(`first ${(performance.now() - first).toFixed(0)}`)
  // The more expensive an engine, the fewer questions: the medians stay what they are.
  const slow = performance.now() - first > 200 && !(engine instanceof Ours)
  measure(engine, slow ? asked.slice(0, 20) : asked, truth, facts)
  inserts(engine)
  engine.close()
}

function measure(
  engine: Engine,
  questions: readonly Float32Array[],
  against: number[][] | undefined,
  facts: string[] = [],
) {
  const walls: number[] = []
  let found = 0
  const cpu = process.threadCpuUsage()
  const answers = questions.map((question, at) => {
    const began = performance.now()
    const answer = engine.nearest(question, K)
    walls.push(performance.now() - began)
    found += against?.[at]?.filter(number => answer.includes(number)).length ?? K
    return answer
  })
  const { user, system } = process.threadCpuUsage(cpu)
  const { held, disk } = engine.size()
  const bytes = (name: string, size: number | undefined) =>
    size === undefined ? [] : [`${name} ${(size / 2 ** 20).toFixed(1)} MB`]
  const line = [
    `p50 ${quantile(walls, 0.5)} p95 ${quantile(walls, 0.95)} least ${quantile(walls, 0)} cpu mean ${((user + system) / 1000 / questions.length).toFixed(2)} ms`,
    `recall@10 ${(found / (K * questions.length)).toFixed(4)}`,
    ...bytes('held', held),
    ...bytes('disk', disk),
    ...facts,
  ]
  console.log(`${engine.name}: ${line.join(' · ')}`)
  return answers
}

/** Single inserts, each followed by a question: whatever an insert made stale is paid for in it. */
function inserts(engine: Engine): void {
  const [adding, asking]: [number[], number[]] = [[], []]
  for (let at = 0; at < INSERTS; at++) {
    const began = performance.now()
    engine.insert(vectorAt(stored, count + at), count + at)
    adding.push(performance.now() - began)
    const then = performance.now()
    engine.nearest(asked[at % asked.length] ?? new Float32Array(0), K)
    asking.push(performance.now() - then)
  }
  console.log(`  insert p50 ${quantile(adding, 0.5)} ms, the question after it p50 ${quantile(asking, 0.5)} ms`)
}

function quantile(times: readonly number[], part: number): string {
  const sorted = [...times].sort((a, b) => a - b)
  return (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(2)
}
