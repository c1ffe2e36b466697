import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { agentIn, oursIn, rig } from '../rig.ts'
import { callTool, outputOf, recalled, textOf } from './call.ts'

const OLD = 'the valve port is 1111'
const NOW = 'the valve port is 2222'
const [OLD_ID, NOW_ID] = [blockId(OLD), blockId(NOW)]
const EDGE = { sourceKind: 'block', sourceId: NOW_ID, targetKind: 'block', targetId: OLD_ID, type: 'supersedes' }

async function filled(config: object = {}) {
  const made = await rig({ config })
  const agent = await agentIn(made.host)
  for (const text of [OLD, NOW]) await made.memory.commit({ text }, { session: agent.session })
  return { ...made, agent }
}

describe('stablemem_link', () => {
  it('is offered to the model with its parameters', async () => {
    const { host, server } = await rig()
    await host.runTurn(await agentIn(host), 'hi')
    const tool = server.last().tools?.find(({ function: { name } }) => name === 'stablemem_link')
    expect(tool?.function.parameters).toMatchObject({
      type: 'object',
      required: ['type', 'sourceKind', 'sourceId', 'targetKind', 'targetId'],
      additionalProperties: false,
      properties: {
        sourceKind: { enum: ['block', 'document', 'entity', 'sentence'] },
        confidence: { type: 'number' },
        remove: { type: 'boolean' },
      },
    })
  })

  it('leaves one event in the session, and recall goes by it until it is ended', async () => {
    const { host, agent } = await filled()
    const linked = await callTool(host, 'stablemem_link', { ...EDGE, confidence: 0.9 }, agent)
    expect(linked).toMatchObject({ isError: false, value: { linked: true } })
    expect(textOf(linked)).toBe(`Linked: ${NOW_ID} supersedes ${OLD_ID}.`)
    const place = { session: agent.session.id }
    expect(oursIn(agent.session.events, 'link')).toMatchObject([
      { ...EDGE, confidence: 0.9, origin: 'tool', at: place },
    ])
    const replaced = await recalled(host, 'valve port', agent, { history: true })
    expect(replaced.hits.map(({ id }) => id)).toEqual([NOW_ID])
    expect(replaced.superseded).toMatchObject([{ id: OLD_ID, by: NOW_ID }])

    const ended = await callTool(host, 'stablemem_link', { ...EDGE, remove: true }, agent)
    expect(ended).toMatchObject({ isError: false, value: { linked: false } })
    expect(textOf(ended)).toBe(`Unlinked: ${NOW_ID} supersedes ${OLD_ID}.`)
    expect(oursIn(agent.session.events, 'unlink')).toMatchObject([{ ...EDGE, origin: 'tool' }])
    expect((await recalled(host, 'valve port', agent)).hits).toHaveLength(2)
  })

  it('ties a memory to an entity by its name, and to words of its own', async () => {
    const { host, agent } = await filled()
    const edge = { ...EDGE, targetKind: 'entity', targetId: 'staging', type: 'depends_on' }
    expect(await outputOf(callTool(host, 'stablemem_link', edge, agent))).toEqual({ linked: true })
    expect(oursIn(agent.session.events, 'link')).toMatchObject([edge])
  })

  it('says that a tie to end is not there, and writes nothing', async () => {
    const { host, agent, memory } = await filled()
    const entity = { ...EDGE, targetKind: 'entity', targetId: 'staging', type: 'mentions' }
    const before = agent.session.seq
    for (const edge of [EDGE, entity]) {
      const result = await callTool(host, 'stablemem_link', { ...edge, remove: true }, agent)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toContain('there is no such edge')
    }
    expect(agent.session.seq).toBe(before)
    // Once it was ended it is not there any more, under whichever id its end is known.
    await callTool(host, 'stablemem_link', entity, agent)
    await memory.merge({ keep: OLD_ID, drop: NOW_ID }, { session: agent.session })
    expect((await callTool(host, 'stablemem_link', { ...entity, remove: true }, agent)).isError).toBe(false)
    expect((await callTool(host, 'stablemem_link', { ...entity, remove: true }, agent)).isError).toBe(true)
  })

  const unknown = blockId('said by nobody')
  it.each([
    ['a source that is not there', { sourceId: unknown }, `source of the edge, block ${unknown}, does not exist`],
    ['a target that is not there', { targetId: unknown }, `target of the edge, block ${unknown}, does not exist`],
    [
      'a document that is not there',
      { targetKind: 'document', targetId: 'doc_1' },
      'document doc_1, does not exist in this namespace',
    ],
    ['an edge from a block to itself', { targetId: NOW_ID }, 'two different ends'],
    ['a type of many words', { type: 'is like' }, 'a short word'],
    ['a blank end', { targetKind: 'entity', targetId: ' ' }, 'targetId must be text'],
    ['a confidence beyond 1', { confidence: 2 }, 'from 0 to 1'],
    ['a kind that does not exist', { sourceKind: 'person' }, 'sourceKind'],
    ['an end that is no text', { sourceId: null }, 'sourceId'],
  ])('refuses %s in words, and writes nothing', async (_, over, reason) => {
    const { host, agent, memory } = await filled()
    const before = agent.session.seq
    const result = await callTool(host, 'stablemem_link', { ...EDGE, ...over }, agent)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(reason)
    expect(agent.session.seq).toBe(before)
    expect((await memory.stats()).events).toBe(2)
  })

  it('says that an end was purged', async () => {
    const { host, agent, memory } = await filled()
    await memory.purge({ ids: [OLD_ID] }, { session: agent.session })
    expect(textOf(await callTool(host, 'stablemem_link', EDGE, agent))).toContain(`${OLD_ID}, was purged`)
  })

  it('does not know blocks of another project', async () => {
    const { host } = await filled()
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere' })
    const result = await callTool(host, 'stablemem_link', EDGE, elsewhere)
    expect(textOf(result)).toContain('does not exist in this namespace')
    expect(oursIn(elsewhere.session.events, 'link')).toEqual([])
  })

  it('is refused to a subagent, unless that may write', async () => {
    for (const write of [false, true]) {
      const { host, memory } = await filled({ subagents: { write } })
      const child = await host.createAgent({ sessionId: 'child', cwd: host.home, origin: 'subagent' })
      const result = await callTool(host, 'stablemem_link', EDGE, child)
      expect(result.isError).toBe(!write)
      if (!write) expect(textOf(result)).toMatch(/subagent.*subagents\.write/)
      expect((await memory.stats()).events).toBe(write ? 3 : 2)
      await host.stop()
    }
  })
})
