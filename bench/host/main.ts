/**
 * How long the host's event loop is held, with a memory of many blocks and without us, side by side in one run:
 * `node bench/host/main.ts [--blocks N] [--rounds N]`. Prints the median and the longest hold of each act, milliseconds.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { namedNamespace } from '../../src/events/index.ts'
import { memoryPaths } from '../../src/logs/index.ts'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost, type Host } from '../../test/support/host.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { tempDir } from '../../test/support/temp.ts'

const { values } = parseArgs({
  options: { blocks: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '15' } },
})
const rounds = Number(values.rounds)
const QUESTION = 'unit 77123 valve?'

/** Holds of the event loop while an act runs, one a round, in milliseconds, shortest first. */
async function holds(act: (round: number) => Promise<unknown>): Promise<number[]> {
  const longest: number[] = []
  for (let round = 0; round < rounds; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await pause(20)
    delay.reset()
    await act(round)
    await pause(5)
    delay.disable()
    longest.push(delay.max / 1e6)
  }
  return longest.sort((a, b) => a - b)
}

function report(what: string, longest: readonly number[]): void {
  const at = (share: number) => (longest[Math.floor(share * (longest.length - 1))] ?? Number.NaN).toFixed(1)
  console.log(`${what}: median ${at(0.5)}, longest ${at(1)}`)
}

const server = await startModelServer()
let sessions = 0
const newSession = (host: Host) => host.createAgent({ sessionId: `bench-${sessions++}`, cwd: host.home })

const plain = await bootHost({ home: tempDir(), model: server.baseURL })
report('a step, without us', await holds(async () => plain.runTurn(await newSession(plain), QUESTION)))
await plain.stop()

const home = tempDir()
const { path, journal } = memoryPaths({}, home)
const seed = join(import.meta.dirname, '../../test/plugin/law4/seed.ts')
await promisify(execFile)(process.execPath, [seed, path, journal, values.blocks, namedNamespace('seeded').id])
const host = await bootHost({ home, model: server.baseURL })
await host.mount(hologram, { namespace: 'seeded', injection: { deadlineMs: 20_000 } })
await host.ctx.stablemem.recall('unit 1')
report(`a step, ${values.blocks} blocks`, await holds(async () => host.runTurn(await newSession(host), QUESTION)))
const { session } = await newSession(host)
report(
  'a commit',
  await holds(round => host.ctx.stablemem.commit({ text: `unit ${round} was committed now` }, { session })),
)
report('a recall of 100 hits', await holds(() => host.ctx.stablemem.recall('valve pump relay', { topK: 100 })))
await host.stop()
await server.close()
