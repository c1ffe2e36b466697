import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { Store } from '../../src/readmodels/worker/store.ts'
import { DIMENSION, embeddingService } from '../support/embedding-service.ts'
import { commit } from '../support/events.ts'
import { removeTempDirs } from '../support/temp.ts'
import { type CliHome, emptyHome } from './homes.ts'
import { answer, run } from './run.ts'

afterAll(removeTempDirs)

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

function memory(blocks: number): CliHome {
  const home = emptyHome()
  const store = new Store({ path: home.path, journal: home.journal })
  store.fold(Array.from({ length: blocks }, (_, n) => commit(n + 1, `note ${n} of the port`)))
  store.close()
  return home
}

const call = (home: CliHome, endpoint: string, ...more: string[]) => [
  'reembed',
  ...['--home', home.home, '--endpoint', endpoint, '--dimension', String(DIMENSION), '--model', 'm'],
  ...['--protocol', 'openai', '--json', ...more],
]

describe('reembed', () => {
  it('brings every vector that is missing, in batches, and has nothing to do the next time', async () => {
    const { endpoint, texts, times } = await embeddingService()
    const home = memory(70)
    const first = await run(call(home, endpoint))
    expect(answer(first)).toMatchObject({ brought: 70, failed: 0, end: 'done', complete: true })
    expect(first.code).toBe(0)
    expect(times).toHaveLength(3)
    expect(answer(await run(call(home, endpoint)))).toMatchObject({ brought: 0, complete: true })
    expect(new Set(texts).size).toBe(70)
    expect(texts).toHaveLength(70)
    expect((await run(['verify', '--home', home.home])).code).toBe(0)
  })

  it('writes in the space that --fingerprint names', async () => {
    const { endpoint } = await embeddingService()
    const home = memory(3)
    expect(answer(await run(call(home, endpoint, '--fingerprint', 'http:old:8:12345678')))).toMatchObject({
      space: 'http:old:8:12345678',
      brought: 3,
    })
    expect((await run(['status', '--home', home.home])).stdout).toContain('space http:old:8:12345678: 3 vectors')
  })

  it('asks for no more texts a second than --rate says', async () => {
    const { endpoint, times } = await embeddingService()
    expect(answer(await run(call(memory(9), endpoint, '--rate', '5')))).toMatchObject({ brought: 9 })
    const [first = 0, second = 0] = times
    expect(times).toHaveLength(2)
    expect(second - first).toBeGreaterThan(900)
    expect(await run(call(memory(1), endpoint, '--rate', 'fast'))).toMatchObject({ code: 2 })
  })

  it('ends at once when interrupted, keeps what it has, and goes on there', async () => {
    const service = await embeddingService()
    const home = memory(40)
    const child = spawn(process.execPath, [MAIN, ...call(home, service.endpoint, '--rate', '10')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let stdout = ''
    child.stdout.on('data', data => {
      stdout += String(data)
    })
    await expect.poll(() => service.texts.length, { timeout: 20_000 }).toBe(10)
    service.now.delayMs = 60_000
    await expect.poll(() => service.texts.length, { timeout: 20_000 }).toBe(20)
    const began = performance.now()
    child.kill('SIGINT')
    const [code] = (await once(child, 'close')) as [number]
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ brought: 10, failed: 0, end: 'aborted', complete: false })
    service.now.delayMs = 0
    expect(answer(await run(call(home, service.endpoint)))).toMatchObject({ brought: 30, complete: true })
  }, 60_000)

  it('leaves the work to another process that is at it, and takes it over when that one was killed', async () => {
    const service = await embeddingService()
    const home = memory(40)
    const child = spawn(process.execPath, [MAIN, ...call(home, service.endpoint, '--rate', '10')], { stdio: 'ignore' })
    await expect.poll(() => service.texts.length, { timeout: 20_000 }).toBe(10)
    // It waits for an answer as long as it takes to try the second.
    service.now.delayMs = 60_000
    await expect.poll(() => service.texts.length, { timeout: 20_000 }).toBe(20)
    const second = await run(call(home, service.endpoint))
    expect(answer(second)).toMatchObject({ brought: 0, end: 'held', complete: false })
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('another process') })
    child.kill('SIGKILL')
    await once(child, 'close')
    service.now.delayMs = 0
    // Its lease ends by its time.
    const store = new Store({ path: home.path, journal: home.journal })
    store.database.prepare('UPDATE leases SET until = until - 120000').run()
    store.close()
    expect(answer(await run(call(home, service.endpoint)))).toMatchObject({ end: 'done', complete: true })
  }, 60_000)

  it('says what the service answered, and does not ask for everything when it is down', async () => {
    const { endpoint, times } = await embeddingService({ status: 500 })
    const result = await run(call(memory(400), endpoint))
    expect(result.code).toBe(1)
    expect(answer(result)).toMatchObject({ brought: 0, end: 'down', reasons: { http_status: expect.any(Number) } })
    expect(times.length).toBeLessThan(13)
  }, 60_000)

  it('needs to know where vectors come from', async () => {
    expect(await run(['reembed', '--home', memory(1).home])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --endpoint and --dimension, or --model-folder'),
    })
  })
})
