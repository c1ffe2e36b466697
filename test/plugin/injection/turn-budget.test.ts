import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { describe, expect, it } from 'vitest'
import { priceOn } from '../../../src/plugin/injection/price.ts'
import { estimateTokens } from '../../../src/plugin/injection/tokens.ts'
import { agentIn, boot, injectedIn, oursIn, rig } from '../rig.ts'

const NOTES = Array.from({ length: 12 }, (_, n) => `cabinet ${n} holds ${'spare parts and cables '.repeat(20)}`)
const QUESTION = 'which cabinet holds spare parts and cables?'

describe('the budget of a turn', () => {
  it('holds over all its steps, those that a human steers into as well', async () => {
    const { host, server, memory } = await rig({ config: { injection: { turnTokens: 500, topK: 12 } } })
    const { session } = await agentIn(host)
    for (const text of NOTES) await memory.commit({ text }, { session })
    const agent = await agentIn(host)
    const steered = () => {
      agent.steer(createUserMessage({ content: [{ type: 'text', text: QUESTION }], source: { kind: 'user' } }))
      return { toolCalls: [{ name: 'no_such_tool', arguments: {} }] }
    }
    server.push(steered, steered, { text: 'done' })
    const first = injectedIn(await host.runTurn(agent, QUESTION))
    const spent = first.reduce((sum, { text }) => sum + estimateTokens(text), 0)
    expect(server.requests).toHaveLength(3)
    expect(spent).toBeGreaterThan(300)
    expect(spent).toBeLessThanOrEqual(500)
    // The next turn has a budget of its own.
    expect(injectedIn(await host.runTurn(agent, QUESTION))).toHaveLength(1)
  })
})

describe('what a message costs', () => {
  it('is what the host meters, where it has a meter', async () => {
    const { host } = await boot({ compaction: { auto: false } })
    const text = 'plain words '.repeat(100)
    const message = createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } })
    expect(priceOn(host.ctx)(text)).toBe(host.ctx.tokenMeter.estimateMessage(message))
    expect(priceOn(host.ctx)(text)).toBeGreaterThan(estimateTokens(text))
  })

  it('is our estimate where the host has none, or counts Han characters as a quarter of a token', async () => {
    const [metered, bare] = [await boot({ compaction: { auto: false } }), await boot()]
    expect(priceOn(bare.host.ctx)('plain words')).toBe(estimateTokens('plain words'))
    for (const { host } of [metered, bare]) expect(priceOn(host.ctx)('用'.repeat(300))).toBe(200)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['says nothing', () => undefined],
    ['says what is no number', () => Number.NaN],
  ])('is our estimate where the meter %s', async (_, estimateMessage) => {
    const { host } = await boot({ compaction: { auto: false } })
    host.ctx.tokenMeter.estimateMessage = estimateMessage as () => number
    expect(priceOn(host.ctx)('plain words')).toBe(estimateTokens('plain words'))
  })

  it('is what the budgets are held to, and what the event says', async () => {
    const { host, memory } = await rig({
      compaction: { auto: false },
      config: { injection: { turnTokens: 400, topK: 12 } },
    })
    const { session } = await agentIn(host)
    for (const text of NOTES) await memory.commit({ text }, { session })
    const events = await host.runTurn(await agentIn(host), QUESTION)
    const message = events.flatMap(event =>
      event.type === 'user/message' && event.data.id === injectedIn(events)[0]?.id ? [event.data] : [],
    )[0]
    if (message === undefined) throw new Error('nothing was injected')
    const tokens = host.ctx.tokenMeter.estimateMessage(message)
    expect(tokens).toBeLessThanOrEqual(400)
    expect(oursIn(events, 'recall')).toMatchObject([{ tokens }])
  })
})
