/**
 * Scores recall on a retrieval set through the public path: a real host, real sessions, commits as events, journal,
 * fold, recall.
 *
 *     npm run eval -- SET_FOLDER --out RUN.jsonl [--top N]
 *         [--vector-ranks FILE --vector-model NAME | --embed URL [--embed-model NAME]] [--fusion rank|weighted]
 *
 * Lines of `kind: conversation` enter with their place in the conversation, in order; lines of `kind: facts` stand for
 * themselves. `--vector-ranks` replays the stored rankings of an embedding model as the vector path's answer.
 * `--embed` is the address of an embedding service in the `openai` protocol (`bench/embed/server.ts` is one), which then
 * embeds what is committed and asked, as in use. Each `scope` is a namespace of its own. The run file has one line a query: `{id, ranked, ms}`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost } from '../../test/support/host.ts'
import { tempDir } from '../../test/support/temp.ts'
import { readSet } from '../recall/evaluationSet.ts'
import { commitCorpus } from './corpus.ts'
import { serviceAt } from './service.ts'
import { nearBlocks, readVectorRanks } from './vectorRanks.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    top: { type: 'string', default: '50' },
    'vector-ranks': { type: 'string' },
    'vector-model': { type: 'string' },
    embed: { type: 'string' },
    'embed-model': { type: 'string', default: 'bench' },
    fusion: { type: 'string', default: 'rank' },
  },
})
const [folder] = positionals
const { 'vector-ranks': ranksFile, 'vector-model': model, fusion } = values
const complete = (ranksFile === undefined) === (model === undefined)
const both = values.embed !== undefined && ranksFile !== undefined
if (
  folder === undefined ||
  values.out === undefined ||
  !complete ||
  both ||
  (fusion !== 'rank' && fusion !== 'weighted')
) {
  console.error(
    'usage: npm run eval -- SET_FOLDER --out RUN.jsonl [--top N] [--vector-ranks FILE --vector-model NAME | --embed URL [--embed-model NAME]] [--fusion rank|weighted]',
  )
  process.exit(2)
}

const set = readSet(resolve(folder))
const ranks = ranksFile === undefined || model === undefined ? undefined : readVectorRanks(resolve(ranksFile), model)
const home = tempDir('dsh-hologram-eval-')
const host = await bootHost({ home })
await host.mount(
  hologram,
  values.embed === undefined ? {} : { embed: await serviceAt(values.embed, values['embed-model']) },
)

const began = performance.now()
const spaces = new Map<string, Awaited<ReturnType<typeof commitCorpus>>>()
for (const scope of new Set(set.corpus.map(line => line.scope ?? ''))) {
  const cwd = join(home, 'work', String(spaces.size))
  mkdirSync(cwd, { recursive: true })
  spaces.set(scope, await commitCorpus(host, set, scope, { sessionId: `eval-${spaces.size}`, cwd }))
}
console.error(
  `${set.name}: ${set.corpus.length} lines committed in ${((performance.now() - began) / 1000).toFixed(1)} s`,
)

const run: string[] = []
let unembedded = 0
for (const { id, text, scope } of set.queries) {
  const space = spaces.get(scope ?? '')
  const at = performance.now()
  const near = ranks && space && nearBlocks(ranks.get(id) ?? [], space.blockOf)
  const answer =
    space &&
    (await host.ctx.stablemem.recall(text, {
      session: space.session,
      topK: Number(values.top),
      fusion,
      ...(near && { near }),
    }))
  if (answer?.degraded.some(reason => reason.startsWith('embed_error'))) unembedded += 1
  const ranked = (answer?.hits ?? []).flatMap(hit => space?.documents.get(hit.id) ?? [])
  run.push(JSON.stringify({ id, ranked, ms: performance.now() - at }))
}
writeFileSync(values.out, `${run.join('\n')}\n`)
if (values.embed !== undefined) {
  for (const { fingerprint, vectors, missing } of (await host.ctx.stablemem.stats()).spaces) {
    console.error(`${fingerprint}: ${vectors} vectors, ${missing} blocks without one`)
  }
  if (unembedded > 0) console.error(`${unembedded} questions were answered by words alone`)
}
await host.stop()
