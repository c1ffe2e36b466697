import type { PreStepDecision } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, boot, injectedIn, oursIn, recalledIn, rig } from '../rig.ts'

const QUESTION = 'where is the runbook?'

type Decide = (decision: PreStepDecision) => PreStepDecision

/** One turn in which another plugin, inside of ours, decides; with our memory holding an answer, or without us. */
async function turnWith(decide: Decide, ours = true) {
  const { host, server } = ours ? await filled() : await boot()
  host.ctx.on('agent/pre-step', async (_, next) => decide(await next()))
  const agent = await agentIn(host)
  const events = await host.runTurn(agent, QUESTION)
  return { host, server, events, types: events.map(({ type }) => type), end: endOf(events) }
}

async function filled() {
  const made = await rig()
  const { session } = await agentIn(made.host)
  await made.memory.commit({ text: 'the runbook lies in drawer 4324' }, { session })
  return made
}

const endOf = (events: readonly SessionEvent[]) => events.at(-1)?.data

const enter = (change: (messages: readonly { source: { kind: string } }[]) => readonly unknown[]): Decide => {
  return decision =>
    decision.kind === 'enter' ? ({ ...decision, messages: change(decision.messages) } as PreStepDecision) : decision
}

describe('the decision of others about a step', () => {
  it('control: an untouched one gets its recall', async () => {
    const { server, events } = await turnWith(decision => decision)
    expect(recalledIn(server)).toHaveLength(1)
    expect(injectedIn(events)).toHaveLength(1)
  })

  it.each([
    ['reject', () => ({ kind: 'reject' }) as PreStepDecision],
    ['an empty batch', enter(() => [])],
    ['a batch that lost the human message', enter(messages => messages.filter(({ source }) => source.kind !== 'user'))],
  ])('%s stays as it is: the turn goes as without us', async (_, decide) => {
    const withUs = await turnWith(decide)
    const without = await turnWith(decide, false)
    expect(withUs.types).toEqual(without.types)
    expect(withUs.end).toEqual(without.end)
    expect(withUs.server.requests).toHaveLength(without.server.requests.length)
    expect([injectedIn(withUs.events), oursIn(withUs.events, 'recall')]).toEqual([[], []])
  })

  it('members that newer hosts add to it survive, and its list is not changed in place', async () => {
    const { host, server } = await filled()
    const given: PreStepDecision[] = []
    host.ctx.on('agent/pre-step', async (_, next) => {
      const decision: PreStepDecision = Object.assign({}, await next(), { newer: { kept: true } })
      if (decision.kind === 'enter') Object.freeze(decision.messages)
      given.push(Object.freeze(decision))
      return decision
    })
    const outer: PreStepDecision[] = []
    host.ctx.on(
      'agent/pre-step',
      async (_, next) => {
        const decision = await next()
        outer.push(decision)
        return decision
      },
      { prepend: true },
    )
    await host.runTurn(await agentIn(host), QUESTION)
    expect(recalledIn(server)).toHaveLength(1)
    const [before, after] = [given[0], outer[0]]
    if (before?.kind !== 'enter' || after?.kind !== 'enter') throw new Error('the step was not entered')
    expect(after).toMatchObject({ newer: { kept: true } })
    expect(after.messages.slice(0, -1)).toEqual(before.messages)
    expect(after.messages).toHaveLength(before.messages.length + 1)
  })

  it('what is recalled comes after the question and all that others added', async () => {
    const { server } = await turnWith(decision => decision)
    const texts = textsOf(server.last(), 'user')
    expect(texts[0]).toBe(QUESTION)
    expect(texts.at(-1)).toContain('drawer 4324')
  })

  it('with `inject: false` nothing is added', async () => {
    const { host, server, memory } = await rig({ config: { inject: false } })
    await memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(host)).session })
    await host.runTurn(await agentIn(host), QUESTION)
    expect(recalledIn(server)).toEqual([])
  })
})
