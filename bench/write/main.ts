/**
 * What writing costs, as ratios measured side by side in one run: `node bench/write/main.ts [--commits N] [--events N]`
 *
 * - commit: through the public path (session append, journal with fsync, fold, acknowledgement), one after another and
 *   64 at a time, against a bare SQLite insert with an FTS insert and an fsync for each group of the same size;
 * - whether 10,000 commits in one session stay linear, and what a projection checkpoint costs after them;
 * - rebuild, against reading and JSON-parsing the same files.
 */
import { parseArgs } from 'node:util'
import { commitRatio } from './commit.ts'
import { linearity } from './linear.ts'
import { rebuildRatio } from './rebuild.ts'

const { values } = parseArgs({
  options: { commits: { type: 'string', default: '600' }, events: { type: 'string', default: '20000' } },
})

console.log(await commitRatio(Number(values.commits), 1))
console.log(await commitRatio(Number(values.commits) * 4, 64))
for (const line of await linearity(10_000)) console.log(line)
console.log(await rebuildRatio(Number(values.events)))
