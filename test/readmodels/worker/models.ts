/** Read models behind a real worker, closed after the test, and waiting for what they do by themselves. */
import { setTimeout as pause } from 'node:timers/promises'
import type { RecallAnswer } from '../../../src/readmodels/index.ts'
import { WorkerReadModel } from '../../../src/readmodels/index.ts'
import { NS_A } from '../../support/events.ts'
import type { Home } from './stores.ts'

const open = new Set<WorkerReadModel>()

export function model({ path, journal }: Home): WorkerReadModel {
  const made = new WorkerReadModel({ path, journal })
  open.add(made)
  return made
}

/** For an `afterEach`. */
export async function closeModels(): Promise<void> {
  await Promise.all(Array.from(open, one => one.close()))
  open.clear()
}

export function ask(one: WorkerReadModel, query: string): Promise<RecallAnswer> {
  return one.recall({ query, scope: 'namespace', namespace: NS_A.id, topK: 5 })
}

/** Waits until something holds; fails after ten seconds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to hold within ten seconds')
    await pause(50)
  }
}

/** The longest the event loop was away while something ran, in milliseconds. */
export async function longestPause(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const ticking = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 5)
    last = now
  }, 5)
  try {
    await run()
  } finally {
    clearInterval(ticking)
  }
  return longest
}
