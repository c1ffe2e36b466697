import { Worker } from 'node:worker_threads'

/**
 * Lets a memory worker die of an error of its own: no call looks like this. Stopping the thread from outside would now and
 * then stop the process with it, in the middle of native code.
 */
export function die(thread: Worker | undefined): Promise<void> {
  if (thread === undefined) return Promise.resolve()
  return new Promise(resolve => {
    thread.once('exit', () => resolve())
    Worker.prototype.postMessage.call(thread, null)
  })
}
