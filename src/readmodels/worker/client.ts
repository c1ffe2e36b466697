import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { reasonOf, type StoredEvent } from '../../events/index.ts'
import type {
  BlockView,
  CallOptions,
  DocumentAnswer,
  DocumentRequest,
  DueRequest,
  EdgeRequest,
  FoldAnswer,
  HistoryAnswer,
  HistoryRequest,
  KnownBlock,
  LeaseRequest,
  LookupRequest,
  Material,
  MissingRequest,
  MissingVector,
  ReadModel,
  RecallAnswer,
  RecallRequest,
  Stats,
} from '../port.ts'
import { NativeGate, shutAtExit } from './native-gate.ts'
import type { Method, Methods, Reply, WorkerData, WorkerOptions } from './protocol.ts'

/** The read model cannot answer: its worker died, is closed, or took too long. */
export class ReadModelError extends Error {
  override readonly name = 'ReadModelError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

interface Pending {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Restarts allowed a minute; a worker that dies more often stays down until the minute has passed. */
const RESTARTS_A_MINUTE = 5
/** How long `close` waits for the worker to finish, in milliseconds. */
const CLOSE_MS = 8_000
/** How long a worker that has closed everything may take to end by itself, in milliseconds. */
const LEAVE_MS = 1_000

/** The read model in a worker thread of its own: the caller's thread never opens the database. */
export class WorkerReadModel implements ReadModel {
  readonly ready: Promise<number>
  private readonly options: WorkerOptions
  private readonly pending = new Map<number, Pending>()
  private readonly restarts: number[] = []
  private worker: Worker | undefined
  private gate: NativeGate | undefined
  /** Folders of session logs that were asked for; a worker that follows a dead one is told of them again. */
  private readonly roots = new Set<string>()
  private starting = false
  private calls = 0
  private closing: Promise<void> | undefined
  private lastError = ''
  private becomeReady: (clock: number) => void = () => {}

  constructor(options: WorkerOptions) {
    this.options = options
    this.ready = new Promise(resolve => {
      this.becomeReady = resolve
    })
    this.start()
  }

  fold(events: readonly StoredEvent[], options?: CallOptions): Promise<FoldAnswer> {
    return this.call('fold', events, options)
  }

  recall(request: RecallRequest, options?: CallOptions): Promise<RecallAnswer> {
    return this.call('recall', request, options)
  }

  lookup(request: LookupRequest, options?: CallOptions): Promise<readonly KnownBlock[]> {
    return this.call('lookup', request, options)
  }

  tied(request: EdgeRequest, options?: CallOptions): Promise<boolean> {
    return this.call('tied', request, options)
  }

  history(request: HistoryRequest, options?: CallOptions): Promise<HistoryAnswer> {
    return this.call('history', request, options)
  }

  show(request: HistoryRequest, options?: CallOptions): Promise<readonly BlockView[]> {
    return this.call('show', request, options)
  }

  missing(request: MissingRequest, options?: CallOptions): Promise<readonly MissingVector[]> {
    return this.call('missing', request, options)
  }

  supply(materials: readonly Material[], options?: CallOptions): Promise<number> {
    return this.call('supply', materials, options)
  }

  document(request: DocumentRequest, options?: CallOptions): Promise<DocumentAnswer | null> {
    return this.call('document', request, options)
  }

  due(request: DueRequest, options?: CallOptions): Promise<readonly DocumentAnswer[]> {
    return this.call('due', request, options)
  }

  lease(request: LeaseRequest, options?: CallOptions): Promise<boolean> {
    return this.call('lease', request, options)
  }

  clock(options?: CallOptions): Promise<number> {
    return this.call('clock', null, options)
  }

  async note(trouble: string, options?: CallOptions): Promise<void> {
    await this.call('note', trouble, options)
  }

  stats(options?: CallOptions): Promise<Stats> {
    return this.call('stats', null, options)
  }

  async catchUp(roots: readonly string[], options?: CallOptions): Promise<void> {
    for (const root of roots) this.roots.add(root)
    await this.call('catchUp', roots, options)
  }

  /** Ends the worker after what it was given; a second call is the same as the first. */
  close(): Promise<void> {
    this.closing ??= this.end()
    return this.closing
  }

  /** The worker thread, for tests that kill it. */
  get thread(): Worker | undefined {
    return this.worker
  }

  private async end(): Promise<void> {
    const { worker } = this
    if (worker !== undefined) {
      const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()))
      const closed = await this.send(worker, 'close', null, { deadline: CLOSE_MS }).then(
        () => true,
        () => false,
      )
      // One that has closed its files ends by itself: to stop a thread in the middle of native code can take the process
      // with it, so that is left for one that hangs.
      await Promise.race([exited, pause(LEAVE_MS)])
      if (!closed && this.gate?.shut() !== false) await worker.terminate()
      worker.unref()
    }
    this.fail(new ReadModelError('closed', 'memory is closed'))
    this.becomeReady(0)
  }

  private call<M extends Method>(method: M, argument: Methods[M][0], options?: CallOptions): Promise<Methods[M][1]> {
    if (this.closing !== undefined) return Promise.reject(new ReadModelError('closed', 'memory is closed'))
    if (this.worker === undefined) this.start()
    const { worker } = this
    if (worker === undefined) {
      return Promise.reject(
        new ReadModelError('worker_down', `the memory worker keeps failing and was stopped: ${this.lastError}`),
      )
    }
    return this.send(worker, method, argument, options ?? {})
  }

  private send<M extends Method>(
    worker: Worker,
    method: M,
    argument: Methods[M][0],
    { signal, deadline }: CallOptions,
  ): Promise<Methods[M][1]> {
    this.calls += 1
    const call = this.calls
    return new Promise((resolve, reject) => {
      const settle =
        <T>(how: (value: T) => void) =>
        (value: T) => {
          this.pending.delete(call)
          this.hold()
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          how(value)
        }
      const fail = settle(reject)
      const onAbort = () => fail(new ReadModelError('aborted', `${method} was aborted`))
      const timer =
        deadline === undefined
          ? undefined
          : setTimeout(() => fail(new ReadModelError('deadline', `${method} took over ${deadline} ms`)), deadline)
      if (signal?.aborted) {
        onAbort()
        return
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.pending.set(call, { resolve: settle(resolve as (value: unknown) => void), reject: fail })
      this.hold()
      try {
        worker.postMessage({ call, method, argument })
      } catch (error) {
        fail(
          new ReadModelError('worker_down', `the memory worker could not be asked: ${String(error)}`, { cause: error }),
        )
      }
    })
  }

  private start(): void {
    const now = Date.now()
    while (this.restarts.length > 0 && now - (this.restarts[0] ?? now) > 60_000) this.restarts.shift()
    if (this.restarts.length > RESTARTS_A_MINUTE) return
    this.restarts.push(now)
    const again = [...this.roots]
    // Run from source, this module is TypeScript, and so is the worker's.
    const entry = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url)
    // The process's own flags need not suit a thread: it dies at once of `--input-type`, for one.
    const gate = new NativeGate()
    const workerData: WorkerData = { options: this.options, gate: gate.state }
    const worker = new Worker(entry, { workerData, name: 'dsh-hologram', execArgv: [] })
    const ended = shutAtExit(gate)
    this.worker = worker
    this.gate = gate
    this.starting = true
    worker.on('message', (reply: Reply) => this.receive(reply))
    worker.on('error', error => {
      this.lastError = reasonOf(error)
    })
    worker.on('exit', code => {
      ended()
      if (this.worker !== worker) return
      this.worker = undefined
      this.starting = false
      if (this.closing !== undefined) return
      this.lastError ||= `it exited with code ${code}`
      this.fail(new ReadModelError('worker_died', `the memory worker died: ${this.lastError}`))
      this.becomeReady(0)
    })
    if (again.length > 0) void this.send(worker, 'catchUp', again, {}).catch(() => undefined)
  }

  private receive(reply: Reply): void {
    if ('ready' in reply) {
      this.starting = false
      this.becomeReady(reply.ready)
      this.hold()
      return
    }
    const pending = this.pending.get(reply.call)
    if (pending === undefined) return
    if ('error' in reply) pending.reject(new ReadModelError(reply.error.code || 'failed', reply.error.message))
    else pending.resolve(reply.value)
  }

  /** An idle worker does not keep the process alive; one that starts or was asked something does. */
  private hold(): void {
    if (this.starting || this.pending.size > 0) this.worker?.ref()
    else this.worker?.unref()
  }

  private fail(error: Error): void {
    for (const { reject } of [...this.pending.values()]) reject(error)
    this.pending.clear()
  }
}
