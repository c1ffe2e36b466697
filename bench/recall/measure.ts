/**
 * One engine, one corpus, in a process of its own: `node --expose-gc bench/recall/measure.ts ENGINE LANGUAGE BLOCKS QUESTIONS`.
 * Prints one line of JSON. Started by `speed.ts`.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENGINES } from './engines/index.ts'
import { type Language, makeCorpus } from './synthetic.ts'

export interface Measured {
  readonly engine: string
  readonly language: Language
  readonly blocks: number
  /** Questions asked in each pass: fewer than wanted where an engine needs more than its time for them. */
  readonly asked: number
  readonly first: Times
  readonly warm: Times
  /** For each question asked, in their order, whether its block was among the ten: to compare engines on the same ones. */
  readonly found: readonly boolean[]
  /** Milliseconds a block when filled in batches, and for one acknowledged write (median). */
  readonly fillMs: number
  readonly addMs: number
  /** Growth of resident memory by engine, index and answers, and what lies on disk, MB. */
  readonly memoryMb: number
  readonly diskMb: number
}

interface Times {
  readonly p50: number
  readonly p95: number
}

/** A pass ends after its time once this many questions were asked. */
const AT_LEAST = 8
const ADDED = 15

function quantiles(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (p: number): number => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

function diskBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

const [name = '', languageName = 'en', blocksText = '1000', questionsText = '300', secondsText = '90'] =
  process.argv.slice(2)
const make = ENGINES[name]
if (make === undefined) {
  console.error(`no engine ${name}; there are ${Object.keys(ENGINES).join(', ')}`)
  process.exit(2)
}
const language: Language = languageName === 'zh' ? 'zh' : 'en'
const blocks = Number(blocksText)
const { texts, questions } = makeCorpus(language, blocks, Number(questionsText))
const extra = makeCorpus(language, ADDED, 0, 99).texts
const collect = (): void => globalThis.gc?.()

const folder = mkdtempSync(join(tmpdir(), 'recall-measure-'))
try {
  collect()
  const before = process.memoryUsage.rss()
  const engine = await make({ folder, language })
  const began = performance.now()
  await engine.fill(texts)
  const fillMs = (performance.now() - began) / texts.length

  async function pass(): Promise<{ times: number[]; found: boolean[] }> {
    const times: number[] = []
    const found: boolean[] = []
    const started = performance.now()
    for (const { text, target } of questions) {
      if (performance.now() - started > 1_000 * Number(secondsText) && times.length >= AT_LEAST) break
      const at = performance.now()
      const rows = await engine.ask(text)
      times.push(performance.now() - at)
      found.push(rows.includes(target))
    }
    return { times, found }
  }
  engine.forget?.()
  const first = await pass()
  const warm = await pass()
  collect()
  const memoryMb = (process.memoryUsage.rss() - before) / 1e6
  const added: number[] = []
  for (const text of extra) {
    const at = performance.now()
    await engine.addOne(text)
    added.push(performance.now() - at)
  }
  engine.close()
  const measured: Measured = {
    engine: name,
    language,
    blocks,
    asked: warm.times.length,
    first: quantiles(first.times),
    warm: quantiles(warm.times),
    found: warm.found,
    fillMs,
    addMs: quantiles(added).p50,
    memoryMb,
    diskMb: diskBytes(folder) / 1e6,
  }
  console.log(JSON.stringify(measured))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
