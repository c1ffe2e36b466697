/** The port to the worker: how calls end early, and what happens when the worker dies. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type ReadModelError, WorkerReadModel } from '../../../src/readmodels/index.ts'
import { die } from '../../support/die.ts'
import { commit, eventId, NS_A } from '../../support/events.ts'
import { ask, closeModels, model, until } from './models.ts'
import { closeStores, foreignStream, idsOf, journalEvents, newHome } from './stores.ts'

afterEach(async () => {
  await closeModels()
  closeStores()
})

const QUESTION = { query: 'which port?', scope: 'namespace', namespace: NS_A.id, topK: 5 } as const

function failure(call: Promise<unknown>): Promise<ReadModelError> {
  return call.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: ReadModelError) => error,
  )
}

async function kill(one: WorkerReadModel): Promise<void> {
  await die(one.thread)
  // its exit is told to everybody in the next turn of the loop
  await pause(0)
}

describe('a read model', () => {
  it('finds at once what was committed, also when nobody waited for that', async () => {
    const one = model(newHome())
    const folding = one.fold([commit(1, 'the staging port is 8080')])
    expect((await ask(one, 'which staging port?')).hits).toHaveLength(1)
    expect((await folding).acks).toEqual([{ status: 'folded', created: true }])
  })

  it('is ready with the highest clock of what was stored before, and answers no question without it', async () => {
    const home = newHome()
    foreignStream(home, '01OTHER', [commit(7, 'the staging port is 8080'), commit(41, 'x y')])
    const one = model(home)
    expect((await ask(one, 'which staging port?')).hits).toHaveLength(1)
    expect(await one.ready).toBe(41)
  })

  it('acknowledges each of many calls that come together, in order', async () => {
    const home = newHome()
    const one = model(home)
    const folds = Array.from({ length: 100 }, (_, n) => one.fold([commit(n + 1, `fact ${n % 50}`)]))
    const acks = (await Promise.all(folds)).map(answer => answer.acks[0])
    expect(acks.map(ack => ack?.created)).toEqual(acks.map((_, n) => n < 50))
    expect(idsOf(journalEvents(home))).toEqual(acks.map((_, n) => eventId(n + 1)))
  })

  it('works in a process that was started with flags of its own', () => {
    const url = new URL('../../../src/readmodels/index.ts', import.meta.url).href
    const { path, journal } = newHome()
    const script = `
      const { WorkerReadModel } = await import(${JSON.stringify(url)})
      const alive = setInterval(() => {}, 1000)
      const model = new WorkerReadModel(${JSON.stringify({ path, journal })})
      console.log(await model.ready)
      await model.close()
      clearInterval(alive)`
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect({ status: child.status, stdout: child.stdout }, child.stderr).toEqual({ status: 0, stdout: '0\n' })
  })
})

describe('a call', () => {
  it('ends at its deadline with a clear error, and the next one is answered', async () => {
    const one = model(newHome())
    const error = await failure(one.recall(QUESTION, { deadline: 0 }))
    expect(error).toMatchObject({ name: 'ReadModelError', code: 'deadline', message: 'recall took over 0 ms' })
    expect((await one.recall(QUESTION, { deadline: 5_000 })).outcome).toBe('nothing_stored')
  })

  it('ends when it is aborted, before or during, and leaves no listener', async () => {
    const one = model(newHome())
    expect(await failure(one.recall(QUESTION, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted' })
    const stop = new AbortController()
    const asked = failure(one.recall(QUESTION, { signal: stop.signal }))
    stop.abort()
    expect(await asked).toMatchObject({ code: 'aborted' })
    expect((await one.recall(QUESTION, { signal: new AbortController().signal })).outcome).toBe('nothing_stored')
  })

  it('that was abandoned is not undone: its event is there', async () => {
    const one = model(newHome())
    expect(await failure(one.fold([commit(1, 'x y')], { deadline: 0 }))).toMatchObject({ code: 'deadline' })
    expect((await one.fold([commit(1, 'x y')])).acks).toEqual([{ status: 'known', created: true }])
  })
})

describe('a worker that dies', () => {
  it('fails what was asked of it with a clear error, and the next call has a new one with all that was acknowledged', async () => {
    const one = model(newHome())
    await one.fold([commit(1, 'the staging port is 8080')])
    const dying = kill(one)
    const asked = failure(one.recall(QUESTION))
    await dying
    const error = await asked
    expect(error.code).toBe('worker_died')
    expect(error.message).toContain('the memory worker died')
    const { hits } = await ask(one, 'which staging port?')
    expect(hits).toHaveLength(1)
  })

  it('in the middle of commits loses none that was acknowledged', async () => {
    const home = newHome()
    const one = model(home)
    const safe: string[] = []
    const told = (number: number) => commit(number, `fact ${number}`)
    for (let round = 0; round < 3; round++) {
      const folds = Array.from({ length: 40 }, async (_, n) => {
        const number = round * 100 + n + 1
        await pause(n)
        await one.fold([told(number)])
        safe.push(eventId(number))
      })
      const settled = Promise.allSettled(folds)
      const enough = safe.length + 3 + round
      await until(() => safe.length >= enough)
      await kill(one)
      await settled
    }
    const { acks } = await one.fold(safe.map(id => told(Number(id.slice('evt_'.length)))))
    expect(safe.length).toBeGreaterThan(9)
    expect(new Set(acks.map(({ status }) => status))).toEqual(new Set(['known']))
    expect(idsOf(journalEvents(home))).toEqual(expect.arrayContaining(safe))
  })

  it('again and again stays down, and says so and why', async () => {
    const one = model(newHome())
    let error: ReadModelError | undefined
    for (let death = 0; death < 8 && error?.code !== 'worker_down'; death++) {
      // Something asked starts a worker; it meets its death before the question.
      void one.stats().catch(() => undefined)
      const dying = kill(one)
      const asked = failure(one.recall(QUESTION))
      await dying
      error = await asked
    }
    expect(error?.code).toBe('worker_down')
    expect(error?.message).toMatch(/^the memory worker keeps failing and was stopped: ./)
    expect(one.thread).toBeUndefined()
  })
})

describe('closing', () => {
  it('ends the worker after what it was given, once, and every later call says that memory is closed', async () => {
    const home = newHome()
    const one = model(home)
    const folding = one.fold([commit(1, 'x y')])
    const { thread } = one
    const closing = one.close()
    expect(one.close()).toBe(closing)
    await closing
    expect((await folding).acks).toEqual([{ status: 'folded', created: true }])
    expect(thread?.threadId).toBe(-1)
    expect(existsSync(`${home.path}-wal`)).toBe(false)
    expect(await failure(one.recall(QUESTION))).toMatchObject({ code: 'closed', message: 'memory is closed' })
  })

  it('lets whoever waits for it to be ready go', async () => {
    const one = new WorkerReadModel(newHome())
    const { ready } = one
    await one.close()
    expect(await ready).toBe(0)
  })
})
