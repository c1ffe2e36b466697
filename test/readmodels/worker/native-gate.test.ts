import { spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { NativeGate } from '../../../src/readmodels/worker/native-gate.ts'
import { removeTempDirs, tempDir } from '../../support/temp.ts'

afterAll(removeTempDirs)

const href = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
const GATE = href('../../../src/readmodels/worker/native-gate.ts')

/** A thread that takes 300 ms to load, and says when it begins and what came of it. */
const SLOW = `
  import { parentPort, workerData } from 'node:worker_threads'
  const { NativeGate } = await import(${GATE})
  const loaded = new NativeGate(workerData).load(() => {
    parentPort.postMessage('loading')
    const end = performance.now() + 300
    while (performance.now() < end);
    new Uint8Array(workerData)[8] = 1
  })
  parentPort.postMessage(loaded)`

const slowThread = (state: SharedArrayBuffer) =>
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(SLOW)}`), { workerData: state })
const said = (thread: Worker) => new Promise<unknown>(resolve => thread.once('message', resolve))

describe('the gate of native code', () => {
  it('lets a thread load, and lets it be stopped before and after', async () => {
    expect(new NativeGate().load(() => undefined)).toBe(true)
    const gate = new NativeGate()
    let loads = 0
    gate.load(() => {
      loads += 1
    })
    expect([loads, gate.shut()]).toEqual([1, true])
  })

  it('is shut for a thread that did not begin', () => {
    const gate = new NativeGate()
    expect(gate.shut()).toBe(true)
    expect(
      new NativeGate(gate.state).load(() => {
        throw new Error('it loaded all the same')
      }),
    ).toBe(false)
  })

  it('a load that fails is over', () => {
    const gate = new NativeGate()
    const broken = () =>
      gate.load(() => {
        throw new Error('no such addon')
      })
    expect(broken).toThrow('no such addon')
    expect(gate.shut()).toBe(true)
  })

  it('a thread that is loading is waited for', async () => {
    // The state, and beside it a mark that the thread sets when it is done.
    const state = new SharedArrayBuffer(16)
    const gate = new NativeGate(state)
    const thread = slowThread(state)
    expect(await said(thread)).toBe('loading')
    expect(gate.shut()).toBe(false)
    gate.shutNow()
    expect(new Uint8Array(state)[8]).toBe(1)
    expect(gate.shut()).toBe(true)
    await thread.terminate()
  })

  it('a process may end at any time of a start', () => {
    const script = `
      const { WorkerReadModel } = await import(${href('../../../src/readmodels/worker/client.ts')})
      const model = new WorkerReadModel({ path: ':memory:', journal: process.argv[1] + '/journal' })
      setTimeout(() => process.exit(7), Number(process.argv[2]))`
    for (const after of [0, 60, 120, 180, 240, 300]) {
      const args = ['--input-type=module', '--eval', script, tempDir(), String(after)]
      const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      expect([status, signal, stderr]).toEqual([7, null, ''])
    }
  })
})
