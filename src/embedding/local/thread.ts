import { Worker } from 'node:worker_threads'
import { type EmbeddingFailure, failure } from '../failure.ts'
import type { Question, Reply, ThreadData } from './messages.ts'

/** Longest quotation of the package, in characters. */
const QUOTE = 300

/** The worker thread as the provider sees it. It takes one question at a time; a dead thread is started anew by the next. */
export class Thread {
  readonly #data: ThreadData
  readonly #startMs: number
  readonly #answerMs: number
  #worker: Worker | undefined
  #content: string | undefined

  /** `startMs` and `answerMs`: how long loading and one answer may take, in milliseconds. */
  constructor(data: ThreadData, startMs: number, answerMs: number) {
    this.#data = data
    this.#startMs = startMs
    this.#answerMs = answerMs
  }

  /** Starts the thread and loads the model. Never rejects. */
  async start(): Promise<Extract<Reply, { kind: 'ready' }> | EmbeddingFailure> {
    const entry = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url)
    // The process's own flags need not suit a thread.
    const worker = new Worker(entry, { workerData: this.#data, name: 'dsh-hologram-embedding', execArgv: [] })
    this.#worker = worker
    // Whoever waits hears of it below; a thread that dies while idle must not take the host's process along.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    const reply = await this.#reply(worker, this.#startMs)
    if ('code' in reply) return this.#drop(worker, reply)
    if (reply.kind !== 'ready') return this.#drop(worker, failure('internal', 'the embedding thread spoke out of turn'))
    if (this.#content !== undefined && this.#content !== reply.content) {
      return this.#drop(
        worker,
        failure('model_unusable', 'the model folder has changed; restart to use it as it is now'),
      )
    }
    this.#content = reply.content
    return reply
  }

  /** Asks one question. Never rejects; must not be called while another is open. */
  async ask(question: Question): Promise<readonly Float32Array<ArrayBuffer>[] | EmbeddingFailure> {
    if (this.#worker === undefined) {
      const started = await this.start()
      if ('code' in started) return started
    }
    const worker = this.#worker
    if (worker === undefined) return failure('worker_died', 'the embedding thread died')
    worker.postMessage(question)
    const reply = await this.#reply(worker, this.#answerMs)
    if ('code' in reply) return reply
    return reply.kind === 'vectors' ? reply.vectors : failure('internal', 'the embedding thread spoke out of turn')
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  /** The thread's next word, or why there is none. A thread that is too slow is ended. */
  #reply(worker: Worker, ms: number): Promise<Exclude<Reply, { kind: 'failed' }> | EmbeddingFailure> {
    return new Promise(resolve => {
      let lastError = ''
      const finish = (reply: Exclude<Reply, { kind: 'failed' }> | EmbeddingFailure) => {
        clearTimeout(timer)
        worker.off('message', hear).off('error', fail).off('exit', exit)
        // A process may end while the thread has nothing to do.
        worker.unref()
        resolve(reply)
      }
      const hear = (reply: Reply) => {
        finish(reply.kind === 'failed' ? failure(reply.code, reply.message.slice(0, QUOTE).toWellFormed()) : reply)
      }
      const fail = (error: unknown) => {
        lastError = error instanceof Error ? `: ${error.message.slice(0, QUOTE)}` : ''
      }
      const exit = () => finish(failure('worker_died', `the embedding thread died${lastError}`))
      const timer = setTimeout(() => {
        finish(failure('timeout', `the local model did not answer within ${ms} ms`))
        void this.#drop(worker, undefined)
      }, ms)
      worker.ref()
      worker.on('message', hear).on('error', fail).on('exit', exit)
    })
  }

  async #drop<T>(worker: Worker, value: T): Promise<T> {
    if (this.#worker === worker) this.#worker = undefined
    await worker.terminate()
    return value
  }
}
