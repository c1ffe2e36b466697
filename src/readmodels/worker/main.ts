import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { reasonOf, type StoredEvent } from '../../events/index.ts'
import { isBusy, isCorrupt } from '../database/errors.ts'
import type { FoldAnswer } from '../port.ts'
import { NativeGate } from './native-gate.ts'
import type { Call, Reply, WorkerData } from './protocol.ts'
import { Store } from './store.ts'

/** How often what is behind is tried again, in milliseconds. */
const RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

if (parentPort !== null) {
  const { options, gate } = workerData as WorkerData
  // The first database of a thread loads the addon.
  if (new NativeGate(gate).load(() => new Database(':memory:').close())) serve(parentPort, new Store(options))
}

/** Answers calls until `close`. Folds that arrive together are journaled together, with one fsync. */
function serve(port: MessagePort, store: Store): void {
  const stopping = new AbortController()
  const { signal } = stopping
  let waiting: Array<Call<'fold'>> = []
  const reply = (message: Reply) => port.postMessage(message)

  const answer = (call: number, run: () => unknown) => {
    try {
      reply({ call, value: run() })
    } catch (error) {
      reply({ call, error: describe(error) })
    }
  }

  const question = (call: number, run: () => unknown) => {
    if (asking) answer(call, run)
    else void begun.then(() => answer(call, run))
  }

  const foldWaiting = () => {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    const events: StoredEvent[] = group.flatMap(({ argument }) => argument)
    try {
      const { acks, clock } = store.fold(events)
      let from = 0
      for (const { call, argument } of group) {
        const value: FoldAnswer = { acks: acks.slice(from, from + argument.length), clock }
        from += argument.length
        reply({ call, value })
      }
    } catch (error) {
      for (const { call } of group) reply({ call, error: unwritten(error) })
    }
  }

  // Reading what is stored happens one thing after another, in the background. Questions wait for the journal only: it
  // holds all that was acknowledged, and after the database was lost an answer without it would be wrong.
  const begun = contained(store, () => store.catchUpJournal(signal)).then(() => reply({ ready: store.clock }))
  let reading: Promise<void> = begun.then(() => contained(store, () => store.packJournal(signal)))
  let asking = false
  void begun.then(() => {
    asking = true
  })
  const catchUp = () => {
    reading = reading.then(() => contained(store, () => store.catchUp([], signal)))
    return reading
  }

  // A piece at a time, so that what is asked meanwhile is answered. At the end the text is still taken; its words are
  // indexed by whoever comes next.
  let supplying: Promise<void> = begun
  const supply = (call: number, materials: Call<'supply'>['argument']) => {
    const inPieces = async () => {
      const readable = await stepwise(store.supplying(materials))
      await stepwise(store.indexing(), signal)
      return readable
    }
    supplying = supplying.then(inPieces).then(
      value => reply({ call, value }),
      (error: unknown) => reply({ call, error: describe(error) }),
    )
  }

  const retrying = (async () => {
    for (let wait = RETRY_MS; ; ) {
      await pause(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      if (store.isBehind) await catchUp()
      await contained(store, () => store.tend(signal))
      // What cannot be mended by trying again, a full disk for one, is tried less and less often.
      wait = store.isBehind ? Math.min(wait * 2, LONGEST_RETRY_MS) : RETRY_MS
    }
  })()

  port.on('message', (message: Call) => {
    const { call, method, argument } = message
    if (method === 'fold') {
      if (waiting.push(message as Call<'fold'>) === 1) setImmediate(foldWaiting)
      return
    }
    // What was handed over before a question is found by it.
    foldWaiting()
    switch (method) {
      case 'recall':
        question(call, () => store.recall(argument as Call<'recall'>['argument']))
        break
      case 'lookup':
        question(call, () => store.lookup(argument as Call<'lookup'>['argument']))
        break
      case 'tied':
        question(call, () => store.tied(argument as Call<'tied'>['argument']))
        break
      case 'history':
        question(call, () => store.history(argument as Call<'history'>['argument']))
        break
      case 'show':
        question(call, () => store.show(argument as Call<'show'>['argument']))
        break
      case 'missing':
        question(call, () => store.missing(argument as Call<'missing'>['argument']))
        break
      case 'supply':
        supply(call, argument as Call<'supply'>['argument'])
        break
      case 'document':
        question(call, () => store.document(argument as Call<'document'>['argument']))
        break
      case 'due':
        question(call, () => store.due(argument as Call<'due'>['argument']))
        break
      case 'lease':
        question(call, () => store.lease(argument as Call<'lease'>['argument']))
        break
      case 'clock':
        question(call, () => store.clock)
        break
      case 'note':
        question(call, () => store.keep(argument as Call<'note'>['argument']))
        break
      case 'stats':
        answer(call, () => store.stats())
        break
      case 'catchUp':
        store.expect(argument as Call<'catchUp'>['argument'])
        void catchUp().then(() => answer(call, () => null))
        break
      case 'close':
        stopping.abort()
        void Promise.allSettled([reading, retrying, supplying]).then(() => {
          answer(call, () => {
            store.close()
            return null
          })
          port.close()
        })
        break
    }
  })
}

/**
 * Reading what is stored may meet a damaged database; that is replaced and filled again. What another process holds up is
 * tried again later. Nothing is thrown.
 */
async function contained(store: Store, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (isBusy(error)) return
    try {
      if (!isCorrupt(error) || store.check()) store.note(error)
      else await run()
    } catch (again) {
      store.note(again)
    }
  }
}

/** Takes steps one by one, and lets others have their turn in between. `undefined` when the signal ended it early. */
async function stepwise<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T | undefined> {
  while (signal?.aborted !== true) {
    const step = steps.next()
    if (step.done) return step.value
    await breathe()
  }
  return undefined
}

function describe(error: unknown): { message: string; code: string } {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return {
    message: reasonOf(error),
    code: typeof code === 'string' ? code : '',
  }
}

/** Why the journal could not be written. It goes before models, so it names no file. */
function unwritten(error: unknown): { message: string; code: string } {
  const { code, message } = describe(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return { code, message: `the disk is full (${code})` }
  return /^E[A-Z]+$/.test(code) ? { code, message: `the journal cannot be written (${code})` } : { code, message }
}
