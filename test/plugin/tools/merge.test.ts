import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { agentIn, oursIn, rig } from '../rig.ts'
import { callTool, outputOf, recalled, textOf } from './call.ts'

const TEXTS = ['the valve port is 1111', 'port 1111 is that of the valve', 'valve: port 1111'] as const
const [ONE, TWO, THREE] = TEXTS.map(blockId) as [string, string, string]

async function filled(config: object = {}) {
  const made = await rig({ config })
  const agent = await agentIn(made.host)
  for (const text of TEXTS) await made.memory.commit({ text }, { session: agent.session })
  const merge = (keep: string, drop: string, more: object = {}) =>
    callTool(made.host, 'stablemem_merge', { keep, drop, ...more }, agent)
  return { ...made, agent, merge }
}

describe('stablemem_merge', () => {
  it('is offered to the model with its parameters', async () => {
    const { host, server } = await rig()
    await host.runTurn(await agentIn(host), 'hi')
    const tool = server.last().tools?.find(({ function: { name } }) => name === 'stablemem_merge')
    expect(tool?.function.parameters).toMatchObject({
      required: ['keep', 'drop'],
      properties: { reason: { type: 'string' }, everywhere: { type: 'boolean' } },
    })
  })

  it('makes two memories one: recall shows the kept one, and the dropped id is an alias', async () => {
    const { host, agent, merge, memory } = await filled()
    const result = await merge(ONE, TWO, { reason: 'the same port' })
    expect(result).toMatchObject({ isError: false, value: { keep: ONE, drop: TWO } })
    expect(textOf(result)).toBe(`Merged: ${TWO} is now an alias of ${ONE}.`)
    expect(oursIn(agent.session.events, 'merge')).toMatchObject([
      { keep: ONE, drop: TWO, reason: 'the same port', origin: 'tool', at: { session: agent.session.id } },
    ])
    expect((await recalled(host, 'valve port 1111', agent)).hits.map(({ id }) => id).sort()).toEqual(
      [ONE, THREE].sort(),
    )
    expect((await memory.history(TWO, { session: agent.session })).ids).toEqual([ONE, TWO].sort())
  })

  it('takes an alias for the block it stands for, and says so', async () => {
    const { merge } = await filled()
    await merge(ONE, TWO)
    expect(await outputOf(merge(THREE, TWO))).toEqual({ keep: THREE, drop: ONE })
  })

  it('merges in this project only, or everywhere if asked to', async () => {
    const { host, memory, merge } = await filled()
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere' })
    for (const text of TEXTS) await memory.commit({ text }, { session: elsewhere.session })
    await merge(ONE, TWO)
    expect((await recalled(host, 'valve port 1111', elsewhere)).hits).toHaveLength(3)
    await merge(ONE, THREE, { everywhere: true })
    const left = (await recalled(host, 'valve port 1111', elsewhere)).hits.map(({ id }) => id).sort()
    expect(left).toEqual([ONE, TWO].sort())
  })

  const unknown = blockId('said by nobody')
  it.each([
    ['a block to keep that is not there', [unknown, ONE], `block to keep, ${unknown}, does not exist`],
    ['a block to drop that is not there', [ONE, unknown], `block to drop, ${unknown}, does not exist`],
    ['a block with itself', [ONE, ONE], 'one block already'],
    ['no id', ['', ONE], 'does not exist'],
    ['what is no id', [ONE, 7], 'drop'],
  ])('refuses %s in words, and writes nothing', async (_, [keep, drop], reason) => {
    const { host, agent, memory } = await filled()
    const before = agent.session.seq
    const result = await callTool(host, 'stablemem_merge', { keep, drop }, agent)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(reason)
    expect(agent.session.seq).toBe(before)
    expect((await memory.stats()).events).toBe(3)
  })

  it('refuses what is one already by a longer way, and what was purged', async () => {
    const { agent, memory, merge } = await filled()
    await merge(ONE, TWO)
    await merge(TWO, THREE)
    expect(textOf(await merge(THREE, TWO))).toContain('one block already')
    await memory.purge({ ids: [ONE] }, { session: agent.session })
    expect(textOf(await merge(ONE, TWO))).toContain(`${ONE}, was purged`)
  })

  it('is refused to a subagent', async () => {
    const { host, memory } = await filled()
    const child = await host.createAgent({ sessionId: 'child', cwd: host.home, delegationDepth: 1 })
    const result = await callTool(host, 'stablemem_merge', { keep: ONE, drop: TWO }, child)
    expect(textOf(result)).toMatch(/subagent.*subagents\.write/)
    expect((await memory.stats()).events).toBe(3)
  })
})
