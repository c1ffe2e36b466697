import { type CallOptions, ReadModelError } from '../readmodels/index.ts'

/**
 * Settles as the promise does, or rejects when the time is over or the signal fires, whatever the promise waits for. A
 * late answer is abandoned. Without a number of milliseconds there is no such time.
 */
export function within<T>(milliseconds: number | undefined, promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle =
      <V>(how: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        how(value)
      }
    const fail = settle(reject)
    const onAbort = () => fail(new ReadModelError('aborted', 'it was aborted'))
    const onTime = () => fail(new ReadModelError('deadline', `it took over ${milliseconds} ms`))
    const timer = milliseconds === undefined ? undefined : setTimeout(onTime, milliseconds)
    promise.then(settle(resolve), fail)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/**
 * One deadline over several waits: gives the options of the next of them, with as much of the time as is left. Where no
 * deadline was given there is none.
 */
export function timeLeft({ signal, deadline }: CallOptions): () => CallOptions {
  const end = deadline === undefined ? undefined : performance.now() + deadline
  return () => ({
    ...(signal === undefined ? {} : { signal }),
    ...(end === undefined ? {} : { deadline: Math.max(0, Math.ceil(end - performance.now())) }),
  })
}
