import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JournalWriter } from '../../src/logs/index.ts'
import { Store } from '../../src/readmodels/worker/store.ts'
import { tempDir } from '../../test/support/temp.ts'
import { commitEvent } from './events.ts'

/** Filling an empty database from a journal, against reading and JSON-parsing the same files. */
export async function rebuildRatio(events: number): Promise<string> {
  const home = tempDir('bench-rebuild-')
  const journal = join(home, 'journal')
  const writer = JournalWriter.inFolder(journal)
  for (let from = 0; from < events; from += 500) {
    writer.append(Array.from({ length: Math.min(500, events - from) }, (_, i) => commitEvent(from + i)))
  }
  writer.close()

  const parse = () => {
    const start = performance.now()
    let lines = 0
    for (const name of readdirSync(journal)) {
      for (const line of readFileSync(join(journal, name), 'utf8').split('\n')) {
        if (line !== '' && JSON.parse(line) !== null) lines += 1
      }
    }
    return { ms: performance.now() - start, lines }
  }
  parse()
  const read = parse()
  const store = new Store({ path: join(home, 'memory.db'), journal, keepJournal: true })
  const start = performance.now()
  await store.catchUpJournal()
  const ms = performance.now() - start
  const { events: folded } = store.stats()
  store.close()
  if (folded !== events || read.lines !== events)
    throw new Error(`${folded} folded and ${read.lines} read of ${events}`)
  const rate = (time: number) => `${((events / time) * 1000).toFixed(0)}/s`
  return `rebuild of ${events} events: ${rate(ms)}, reading and parsing ${rate(read.ms)}, ratio ${(ms / read.ms).toFixed(1)}`
}
