/** One side of `logs.ts`, in a process of its own so that its peak memory is its own. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { splitLines } from '../../src/logs/lines.ts'
import { readZstd } from '../../src/logs/zstd-frames.ts'
import { Store } from '../../src/readmodels/worker/store.ts'

const [what = '', home = '', path = ''] = process.argv.slice(2)
const start = performance.now()
let count = 0
if (what === 'parse') {
  const chunks = path.endsWith('.zstd') ? readZstd(path, reason => console.error(reason)) : createReadStream(path)
  for await (const { bytes } of splitLines(chunks)) if (JSON.parse(bytes.toString('utf8')) !== null) count += 1
} else {
  const store = new Store({ path: join(home, 'memory.db'), journal: join(home, 'journal') })
  await store.catchUp([join(home, 'sessions')])
  count = store.stats().events
  store.close()
}
const ms = performance.now() - start
console.log(JSON.stringify({ ms, count, peak: Math.round(process.resourceUsage().maxRSS / 1024) }))
