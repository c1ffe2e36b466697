import { randomUUID } from 'node:crypto'
import { embeddingProvider } from '../embedding/index.ts'
import { EMBED_VERSION, eventName, LamportClock, newEventId } from '../events/index.ts'
import { bringVectors, TEXTS_PER_SECOND } from '../readmodels/index.ts'
import { Store } from '../readmodels/worker/store.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import { type Output, progress } from './output.ts'

/** Where the key is taken from: a command line is seen by everybody on the machine. */
export const KEY_VARIABLE = 'DSH_HOLOGRAM_EMBED_KEY'

/** Why the work ended before its end. */
const ENDS = {
  done: undefined,
  aborted: 'interrupted; run it again to go on',
  down: 'the embedding service is down; run this again when it is back',
  held: 'another process is bringing these vectors now; this one leaves it to that',
} as const

/**
 * `reembed`: brings a vector in one space for every block that has none there. What is left to do follows from the
 * database, so it can be interrupted at any time and goes on where it was.
 */
export async function reembed(options: Options, output: Output, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const provider = embeddingProvider({ ...options.embed, apiKey: env[KEY_VARIABLE] })
  await provider.ready
  const { space, problem } = provider
  if (space === undefined) {
    await provider.close()
    throw new UsageError(
      problem === undefined || problem.code === 'no_provider'
        ? 'give --endpoint and --dimension, or --model-folder'
        : problem.message,
    )
  }
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  // Once: whoever interrupts again does not want to wait.
  for (const signal of SIGNALS) process.once(signal, stop)
  const store = new Store(options)
  const report = progress(output, 'vectors brought')
  try {
    await store.catchUpJournal()
    const clock = new LamportClock(store.clock)
    const { end, ...tally } = await bringVectors({
      space,
      provider,
      missing: request => store.missing(request),
      lease: request => store.lease(request),
      write: vectors => {
        // Other processes write too.
        clock.observe(store.clock)
        store.fold(
          vectors.map(({ ns, target, data }) => {
            const stamp = { id: newEventId(), clock: clock.tick(), ns, at: { time: Date.now() } }
            return { type: eventName('embed'), data: { v: EMBED_VERSION, ...stamp, target, space, data } }
          }),
        )
      },
      holder: randomUUID(),
      refused: new Set(),
      perSecond: options.rate ?? TEXTS_PER_SECOND,
      signal: stopping.signal,
      stays: true,
      report: ({ brought }) => report(brought),
    })
    await store.tend(stopping.signal)
    const left = store.missing({ space: space.fingerprint, limit: 1 }).length
    const answer = { space: space.fingerprint, ...tally, end, complete: left === 0 }
    const text = `${tally.brought} vectors brought in ${space.fingerprint}, ${tally.failed} failed`
    output.result(options.json ? JSON.stringify(answer) : text)
    for (const [code, count] of options.json ? [] : Object.entries(tally.reasons))
      output.remark(`${count} failed: ${code}`)
    const why = ENDS[end]
    if (why !== undefined) output.remark(why)
    return left === 0 ? EXIT.ok : EXIT.differs
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    store.close()
    await provider.close()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
