import { embeddingProvider } from '../embedding/index.ts'
import {
  canonicalText,
  EMBED_VERSION,
  encodeVector,
  eventName,
  isBlockId,
  LamportClock,
  newEventId,
  type StoredEvent,
} from '../events/index.ts'
import { Store } from '../readmodels/worker/store.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import { type Output, progress } from './output.ts'

/** Texts of one request. */
const AT_ONCE = 32
/** Where the key is taken from: a command line is seen by everybody on the machine. */
export const KEY_VARIABLE = 'DSH_HOLOGRAM_EMBED_KEY'

/**
 * `reembed`: brings a vector in one space for every block that has none there. What is left to do follows from the
 * database, so it can be interrupted at any time and goes on where it was.
 */
export async function reembed(options: Options, output: Output, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const provider = embeddingProvider({ ...options.embed, apiKey: env[KEY_VARIABLE] })
  await provider.ready
  const { space, problem } = provider
  if (space === undefined)
    throw new UsageError(problem?.message ?? 'give --endpoint and --dimension, or --model-folder')
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  const store = new Store(options)
  const report = progress(output, 'vectors brought')
  const tally = { brought: 0, failed: 0, reasons: {} as Record<string, number> }
  try {
    await store.catchUpJournal()
    const clock = new LamportClock(store.clock)
    for (let after = 0; !stopping.signal.aborted; ) {
      const missing = store.missing({ space: space.fingerprint, limit: AT_ONCE, after })
      const last = missing.at(-1)
      if (last === undefined) break
      after = last.row
      const results = await provider.embed(
        missing.map(({ text }) => canonicalText(text)),
        { side: 'document', signal: stopping.signal },
      )
      const events = missing.flatMap(({ namespace, label, id }, at): StoredEvent[] => {
        const result = results[at]
        if (result === undefined || !result.ok) {
          const code = result?.error.code ?? 'missing_vector'
          tally.reasons[code] = (tally.reasons[code] ?? 0) + 1
          return []
        }
        if (!isBlockId(id)) return []
        const data = encodeVector(result.vector)
        const stamp = { id: newEventId(), clock: clock.tick(), ns: { id: namespace, label }, at: { time: Date.now() } }
        const payload = { v: EMBED_VERSION, ...stamp, target: { kind: 'block', id }, space, data }
        return [{ type: eventName('embed'), data: payload }]
      })
      store.fold(events)
      tally.brought += events.length
      tally.failed += missing.length - events.length
      report(tally.brought)
      if (provider.breaker !== 'closed') {
        output.remark('the embedding service is down; run this again when it is back')
        break
      }
    }
    await store.tend()
    const left = store.missing({ space: space.fingerprint, limit: 1 }).length
    const answer = { space: space.fingerprint, ...tally, complete: left === 0 }
    const text = `${tally.brought} vectors brought in ${space.fingerprint}, ${tally.failed} failed`
    output.result(options.json ? JSON.stringify(answer) : text)
    for (const [code, count] of options.json ? [] : Object.entries(tally.reasons))
      output.remark(`${count} failed: ${code}`)
    return left === 0 ? EXIT.ok : EXIT.differs
  } finally {
    process.off('SIGINT', stop)
    store.close()
    await provider.close()
  }
}
