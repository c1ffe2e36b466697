import * as hologram from '../../src/plugin/index.ts'
import { bootHost } from '../../test/support/host.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { tempDir } from '../../test/support/temp.ts'

const TURNS = 25

/** What a turn of a session takes that holds so many events already, with the plugin and without, against an empty one. */
export async function turnCost(events: number): Promise<string[]> {
  // Once for nothing, so that the first one measured is not the one that is slow because it is first.
  for (const plugin of [false, true]) await oneTurn(1_000, plugin)
  const times = new Map<string, number>()
  for (const plugin of [false, true]) {
    for (const before of [0, events]) times.set(`${plugin} ${before}`, await oneTurn(before, plugin))
  }
  const of = (plugin: boolean, before: number) => times.get(`${plugin} ${before}`) ?? Number.NaN
  const added = (before: number) => of(true, before) - of(false, before)
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return [
    `a turn in an empty session: ${ms(of(true, 0))}, without the plugin ${ms(of(false, 0))}: it adds ${ms(added(0))}`,
    `a turn after ${events} events: ${ms(of(true, events))}, without the plugin ${ms(of(false, events))}: it adds ${ms(added(events))}`,
  ]
}

/** The median turn. */
async function oneTurn(before: number, plugin: boolean): Promise<number> {
  const server = await startModelServer()
  const home = tempDir('bench-turn-')
  const host = await bootHost({ home, model: server.baseURL })
  if (plugin) await host.mount(hologram, {})
  const agent = await host.createAgent({ sessionId: 'long', cwd: home })
  await host.runTurn(agent, 'hello')
  if (plugin) await host.ctx.stablemem.commit({ text: 'the staging port is 8080' }, { session: agent.session })
  for (let n = 0; n < before; n++) {
    const chunk = { type: 'text-delta', index: 0, text: `word ${n} ` } as const
    agent.session.append('assistant/chunk', { turn: 1, step: 1, chunk })
  }
  await host.flush(agent)
  const turns: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now()
    await host.runTurn(agent, `what is the staging port, ${turn}?`)
    turns.push(performance.now() - start)
  }
  await host.stop()
  await server.close()
  return turns.sort((a, b) => a - b)[Math.floor(TURNS / 2)] ?? Number.NaN
}
