import type { Store } from '../readmodels/worker/store.ts'
import type { From } from './options.ts'

/** Fills an empty store from where it is told to; the journal first, so that nothing in it is copied to it again. */
export async function fill(
  store: Store,
  from: From,
  roots: readonly string[],
  report: (events: number) => void,
): Promise<void> {
  const ticking = setInterval(() => report(store.taken), 250)
  try {
    do {
      if (from !== 'logs') await store.catchUpJournal()
      if (from !== 'journal') await store.catchUpLogs(roots)
    } while (store.startOver())
  } finally {
    clearInterval(ticking)
  }
}
