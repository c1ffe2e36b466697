/**
 * Speed and quality of recall beside other engines, on the same made-up blocks and questions, in one run:
 *
 *     node bench/recall/speed.ts [--blocks 1000]… [--language en|zh]… [--engine NAME]… [--questions 300]
 *         [--seconds 90] [--out FILE]
 *
 * Each engine runs in a process of its own, one after the other, so that memory can be told apart. Peers that are not
 * installed (`docs/benchmarks.md` says how) are left out, and said so. A pass over the questions ends after `--seconds`; engines
 * that got through fewer of them are compared with recall on those, and on no others. `--out` keeps the figures as JSON lines.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ENGINES } from './engines/index.ts'
import type { Measured } from './measure.ts'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', multiple: true, default: ['1000', '10000'] },
    language: { type: 'string', multiple: true, default: ['en', 'zh'] },
    engine: { type: 'string', multiple: true, default: Object.keys(ENGINES) },
    questions: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '90' },
    out: { type: 'string' },
  },
})
const program = fileURLToPath(new URL('measure.ts', import.meta.url))

function measure(engine: string, language: string, blocks: string): Measured | undefined {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=6144', program, engine, language, blocks, values.questions, values.seconds],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 },
  )
  if (child.status === 0) return JSON.parse(child.stdout) as Measured
  console.log(`| ${engine} | left out: ${child.stderr.match(/\w*Error: .*/)?.[0] ?? child.stderr.slice(0, 200)} |`)
  return undefined
}

/** R@10 over the first `asked` questions. */
const recallAt10 = ({ found }: Measured, asked: number): string =>
  (found.slice(0, asked).filter(Boolean).length / Math.max(1, Math.min(asked, found.length))).toFixed(3)

const n = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

for (const language of values.language) {
  for (const blocks of values.blocks) {
    console.log(`\n${language}, ${blocks} blocks\n`)
    console.log(
      '| engine | first p50 / p95 ms | warm p50 / p95 ms | R@10 | recall on the same | a block, in batches / alone ms | memory / disk MB | asked |\n|---|---|---|---|---|---|---|---|',
    )
    const all = values.engine.flatMap(engine => measure(engine, language, blocks) ?? [])
    const us = all.find(one => one.engine === 'recall')
    const or = all.find(one => one.engine === 'FTS5 OR, ranked')
    for (const one of all) {
      console.log(
        `| ${one.engine} | ${n(one.first.p50)} / ${n(one.first.p95)} | ${n(one.warm.p50)} / ${n(one.warm.p95)} | ${recallAt10(one, one.asked)} | ${us === undefined ? '' : recallAt10(us, one.asked)} ` +
          `| ${n(one.fillMs)} / ${n(one.addMs)} | ${n(one.memoryMb)} / ${n(one.diskMb)} | ${one.asked} |`,
      )
      if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(one)}\n`)
    }
    if (us && or)
      console.log(
        `\nwarm p95 against ranked OR: ${(or.warm.p95 / us.warm.p95).toFixed(1)} times faster, R@10 ${recallAt10(us, Math.min(us.asked, or.asked))} to ${recallAt10(or, us.asked)}`,
      )
  }
}
