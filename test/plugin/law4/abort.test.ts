import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import { agentIn, boot, oursIn, rig } from '../rig.ts'
import { INTACT, modelOf, QUESTION, ready, turn } from './sabotage.ts'

const CONFIG = { injection: { deadlineMs: 30_000 } }

/** Cancels a turn while a listener of pre-step is waiting, and says what became of it. */
async function cancelled(agent: Agent, run: () => Promise<readonly { type: string; data: unknown }[]>) {
  const started = performance.now()
  setTimeout(() => agent.cancel({ kind: 'user' }, { keepInbox: true }), 150)
  const events = await run()
  const types = events.map(({ type }) => type).filter(type => !type.startsWith('hologram/'))
  return { types, end: events.at(-1)?.data, milliseconds: performance.now() - started }
}

describe('an aborted turn', () => {
  it('ends at once, as it does without us, though memory is still thinking', async () => {
    const made = await rig({ config: CONFIG })
    const agent = await ready(made)
    const { thread } = modelOf(made)
    if (thread === undefined) throw new Error('there is no worker')
    thread.postMessage = () => undefined
    const withUs = await cancelled(agent, () => made.host.runTurn(agent, QUESTION))

    const plain = await boot()
    plain.host.ctx.on('agent/pre-step', async ({ signal }, next) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      return next()
    })
    const other = await agentIn(plain.host)
    const without = await cancelled(other, () => plain.host.runTurn(other, QUESTION))

    expect(withUs.milliseconds).toBeLessThan(2_000)
    expect(withUs.types).toEqual(without.types)
    expect(withUs.end).toEqual(without.end)
    expect(made.server.requests).toHaveLength(0)
    expect(oursIn(agent.session.events, 'recall')).toEqual([])
  })

  it('leaves nothing behind: the next turn recalls', async () => {
    const made = await rig({ config: CONFIG })
    const agent = await ready(made)
    const model = modelOf(made)
    const { recall } = model
    model.recall = () => new Promise(() => undefined)
    await cancelled(agent, () => made.host.runTurn(agent, QUESTION))
    model.recall = recall
    expect(await turn(made, agent)).toMatchObject({ words: INTACT.words, injected: true })
  })
})
