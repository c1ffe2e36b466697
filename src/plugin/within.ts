/**
 * Settles as the promise does, or rejects when the time is over or the signal fires, whatever the promise waits for. A
 * late answer is abandoned.
 */
export function within<T>(milliseconds: number, promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle =
      <V>(how: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        how(value)
      }
    const fail = settle(reject)
    const onAbort = () => fail(new Error('it was aborted'))
    const timer = setTimeout(() => fail(new Error(`it took over ${milliseconds} ms`)), milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
    promise.then(settle(resolve), fail)
  })
}
