import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { agentIn, oursIn, rig } from '../rig.ts'
import { callTool, outputOf, recalled, textOf } from './call.ts'

const FACT = 'the valve port is 1111'
const OTHER = 'the valve is blue'
const [ID, OTHER_ID] = [blockId(FACT), blockId(OTHER)]
const WHY = { reason: 'the user asked to' }

async function filled(config: object = {}) {
  const made = await rig({ config })
  const agent = await agentIn(made.host)
  for (const text of [FACT, OTHER]) await made.memory.commit({ text }, { session: agent.session })
  const purge = (ids: readonly string[], more: object = {}) =>
    callTool(made.host, 'stablemem_purge', { ids, ...WHY, ...more }, agent)
  const found = async (query: string) => (await recalled(made.host, query, agent)).hits.map(({ id }) => id)
  return { ...made, agent, purge, found }
}

describe('stablemem_purge', () => {
  it('is offered to the model with its parameters', async () => {
    const { host, server } = await rig()
    await host.runTurn(await agentIn(host), 'hi')
    const tool = server.last().tools?.find(({ function: { name } }) => name === 'stablemem_purge')
    expect(tool?.function.parameters).toMatchObject({
      required: ['ids', 'reason'],
      properties: { ids: { type: 'array', items: { type: 'string' } }, everywhere: { type: 'boolean' } },
    })
  })

  it('forgets, says what is not erased, and leaves one event', async () => {
    const { agent, purge, found } = await filled()
    const result = await purge([ID])
    expect(result).toMatchObject({ isError: false, value: { ids: [ID] } })
    expect(textOf(result)).toContain(`Purged ${ID}.`)
    expect(textOf(result)).toContain('are not erased')
    expect(oursIn(agent.session.events, 'purge')).toMatchObject([
      { ids: [ID], ...WHY, origin: 'tool', at: { session: agent.session.id } },
    ])
    expect(await found('valve port')).toEqual([OTHER_ID])
  })

  it('what was purged comes back when somebody commits it, as new, and not before', async () => {
    const { host, agent, purge, found } = await filled()
    await purge([ID])
    await host.flush(agent)
    await host.disposeAgent(agent)
    await host.resumeAgent(agent.session.id)
    expect(await found('1111')).toEqual([])
    const again = await outputOf<object>(callTool(host, 'stablemem_commit', { text: ` ${FACT}` }, agent))
    expect(again).toMatchObject({ id: ID, created: true })
    expect(await found('1111')).toEqual([ID])
  })

  it('purges every id that means the same', async () => {
    const { agent, memory, purge, found } = await filled()
    await memory.merge({ keep: ID, drop: OTHER_ID }, { session: agent.session })
    expect(await outputOf(purge([OTHER_ID]))).toMatchObject({ ids: [ID, OTHER_ID] })
    expect(await found('valve')).toEqual([])
  })

  it('forgets in this project only, or everywhere if asked to', async () => {
    const { host, memory, purge } = await filled()
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere' })
    for (const text of [FACT, OTHER]) await memory.commit({ text }, { session: elsewhere.session })
    const there = async () => (await recalled(host, 'valve', elsewhere)).hits.map(({ id }) => id).sort()
    await purge([ID])
    expect(await there()).toEqual([ID, OTHER_ID].sort())
    await purge([ID], { everywhere: true })
    expect(await there()).toEqual([OTHER_ID])
  })

  it('takes a secret out of the reason', async () => {
    const { agent, purge } = await filled()
    await purge([ID], { reason: 'it held sk-TESTTESTTESTTESTTESTTEST1234' })
    expect(JSON.stringify(oursIn(agent.session.events, 'purge'))).not.toContain('sk-TEST')
  })

  const unknown = blockId('said by nobody')
  it.each([
    [
      'an id that is not there, with one that is',
      { ids: [ID, unknown] },
      `nothing was purged: ${unknown} does not exist`,
    ],
    ['no ids', { ids: [] }, 'at least one'],
    ['a text in place of an id', { ids: [FACT] }, 'does not exist'],
    ['a reason that is no text', { ids: [ID], reason: null }, 'reason'],
    ['an id that is not in a list', { ids: ID }, 'ids'],
  ])('refuses %s in words, and writes nothing', async (_, args, reason) => {
    const { host, agent, memory, found } = await filled()
    const before = agent.session.seq
    const result = await callTool(host, 'stablemem_purge', { ...WHY, ...args }, agent)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(reason)
    expect(agent.session.seq).toBe(before)
    expect((await memory.stats()).events).toBe(2)
    expect(await found('1111')).toEqual([ID])
  })

  it('does not know blocks of another project', async () => {
    const { host, found } = await filled()
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere' })
    const result = await callTool(host, 'stablemem_purge', { ids: [ID], ...WHY }, elsewhere)
    expect(textOf(result)).toContain(`${ID} does not exist`)
    expect(await found('1111')).toEqual([ID])
  })

  it('is refused to a subagent', async () => {
    const { host, found } = await filled()
    const child = await host.createAgent({ sessionId: 'child', cwd: host.home, origin: 'subagent' })
    const result = await callTool(host, 'stablemem_purge', { ids: [ID], ...WHY }, child)
    expect(textOf(result)).toMatch(/subagent.*subagents\.write/)
    expect(await found('1111')).toEqual([ID])
  })
})
