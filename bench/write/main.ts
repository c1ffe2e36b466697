/**
 * What writing costs, as ratios measured side by side in one run: `node bench/write/main.ts [--commits N] [--events N] [--only …]`
 *
 * - commit: through the public path (session append, journal with fsync, fold, acknowledgement), one after another and
 *   64 at a time, against a bare SQLite insert with an FTS insert and an fsync for each group of the same size;
 * - whether 10,000 commits in one session stay linear, and what a projection checkpoint costs after them;
 * - rebuild of a journal of nothing but commits, against reading and JSON-parsing the same files;
 * - catching up on a stored session log that is nearly all chunks, against the same, with the memory it takes;
 * - a turn in a session of many events, against one in an empty session.
 *
 * `--only commit,linear,rebuild,logs,turn` runs some of them.
 */
import { parseArgs } from 'node:util'
import { commitRatio } from './commit.ts'
import { linearity } from './linear.ts'
import { logsRatio } from './logs.ts'
import { rebuildRatio } from './rebuild.ts'
import { turnCost } from './turn.ts'

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '2000' },
    events: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'commit,linear,rebuild,logs,turn' },
  },
})
const commits = Number(values.commits)
const LOG_EVENTS = 120_000
const LOG_MEGABYTES = 600

const BENCHES: Readonly<Record<string, () => Promise<string[]>>> = {
  commit: async () => [await commitRatio(commits, 1), await commitRatio(commits * 4, 64)],
  linear: () => linearity(10_000),
  rebuild: async () => [await rebuildRatio(Number(values.events))],
  logs: async () => [
    await logsRatio(LOG_EVENTS, LOG_MEGABYTES, false),
    await logsRatio(LOG_EVENTS, LOG_MEGABYTES, true),
  ],
  turn: () => turnCost(LOG_EVENTS),
}
for (const name of values.only.split(',')) {
  const bench = BENCHES[name]
  if (bench === undefined) throw new Error(`there is no bench called ${name}`)
  for (const line of await bench()) console.log(line)
}
