/**
 * What a turn that stops waits for us, in a session of many events, beside a listener that does nothing, in one run:
 * `node bench/host/turn-stopping.ts [--events N] [--rounds N]`. Prints medians and longest times, milliseconds.
 */
import { parseArgs } from 'node:util'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import * as hologram from '../../src/plugin/index.ts'
import { bootHost, type Host } from '../../test/support/host.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { tempDir } from '../../test/support/temp.ts'

const { values } = parseArgs({
  options: { events: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '40' } },
})
const rounds = Number(values.rounds)
const QUESTION = 'Which port does the staging database answer on, and since when is that so?'
/** Chunks of one turn: most events of a log are these. */
const CHUNKS = 45

const server = await startModelServer()

/** An agent whose session has so many events, none of whose turns is archived. */
async function filled(host: Host): Promise<Agent> {
  const agent = await host.createAgent({ sessionId: 'bench', cwd: host.home })
  const { session } = agent
  for (let turn = 1; session.seq < Number(values.events); turn++) {
    session.append('turn/start', { turn })
    const content = [{ type: 'text', text: `${turn}: ${QUESTION}` }] as const
    const message = createUserMessage({ content: [...content], source: { kind: 'user' } })
    session.append('user/message', message, { surfaceOp: 'append' })
    for (let n = 0; n < CHUNKS; n++) {
      session.append('assistant/chunk', { turn, step: 1, chunk: { type: 'text-delta', text: 'word ' } as never })
    }
    session.append('turn/end', { turn, reason: { kind: 'completed' } })
  }
  return agent
}

/** How long everybody who listens to the end of a turn takes together, one a round, shortest first. */
async function measure(host: Host, agent: Agent): Promise<Times> {
  const wall: number[] = []
  const own: number[] = []
  let began = 0
  let used = 0
  const off = [
    host.ctx.on(
      'agent/turn-stopping',
      () => {
        used = busy()
        began = performance.now()
      },
      { prepend: true },
    ),
    host.ctx.on('agent/turn-stopping', () => {
      wall.push(performance.now() - began)
      own.push(busy() - used)
    }),
  ]
  for (let round = 0; round < rounds; round++) await host.runTurn(agent, QUESTION)
  for (const end of off) end()
  return { wall: wall.sort((a, b) => a - b), own: own.sort((a, b) => a - b) }
}

interface Times {
  readonly wall: readonly number[]
  /** Processor time of the host's thread, which other programs on the machine do not change. */
  readonly own: readonly number[]
}

function busy(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function report(what: string, { wall, own }: Times): number {
  const at = (times: readonly number[], share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  const said = (times: readonly number[]) => [0.5, 0.9, 1].map(share => at(times, share).toFixed(3)).join(', ')
  console.log(`${what}: median, ninth tenth, longest: ${said(wall)}; of the host's own thread: ${said(own)}`)
  return at(wall, 0.5)
}

const plain = await bootHost({ home: tempDir(), model: server.baseURL })
plain.ctx.on('agent/turn-stopping', () => undefined)
const empty = report('an empty listener', await measure(plain, await filled(plain)))
await plain.stop()

const host = await bootHost({ home: tempDir(), model: server.baseURL })
const agent = await filled(host)
await host.mount(hologram, { injection: { deadlineMs: 20_000 } })
report(`ours, ${values.events} events, earlier turns being archived`, await measure(host, agent))
while (host.ctx.sessionProjections.snapshot(agent.session).values['hologram/archive']?.unarchived !== 0) {
  await new Promise(resolve => setTimeout(resolve, 200))
}
const ours = report(`ours, ${agent.session.seq} events`, await measure(host, agent))
console.log(`ratio of the medians: ${(ours / empty).toFixed(0)}`)
await host.stop()
await server.close()
