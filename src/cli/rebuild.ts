import { describeDocuments } from '../readmodels/index.ts'
import { Store } from '../readmodels/worker/store.ts'
import { fill } from './fill.ts'
import { EXIT, type Options } from './options.ts'
import { type Output, progress } from './output.ts'

/** `rebuild`: empties the database and fills it again from session logs, journal, or both. */
export async function rebuild(options: Options, output: Output): Promise<number> {
  const { path, journal, from, roots } = options
  // From logs alone means what the logs alone hold; the journal gets what it lacks when a host next starts.
  const store = new Store({ path, journal, keepJournal: from === 'logs' })
  try {
    await store.refill(() => fill(store, from, roots, progress(output, 'events read')))
    await store.tend()
    const { blocks, documents, events, namespaces, skipped, issues, trouble } = store.stats()
    const answer = { path, from, blocks, documents, events, namespaces, skipped, issues, trouble }
    output.result(
      options.json
        ? JSON.stringify(answer)
        : `rebuilt ${path} from ${from}: ${blocks} memories in ${namespaces} namespaces and ${describeDocuments(documents)}, from ${events} events`,
    )
    if (!options.json) remarks(answer).forEach(output.remark)
    return EXIT.ok
  } finally {
    store.close()
  }
}

interface Shortcomings {
  readonly skipped: Readonly<Record<string, number>>
  readonly issues: number
  readonly trouble?: readonly string[]
}

/** What could not be used, in words. */
export function remarks({ skipped, issues, trouble = [] }: Shortcomings): string[] {
  const reasons = [
    ...trouble,
    ...Object.entries(skipped).map(([reason, count]) => `${count} events skipped: ${reason}`),
  ]
  return issues === 0 ? reasons : [...reasons, `${issues} damaged places in logs or journal were passed over`]
}
