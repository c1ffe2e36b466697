import { beforeAll, describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, oursIn, type Rig, rig } from '../rig.ts'
import { callTool, outputOf, textOf } from './call.ts'

const FACT = 'Die Zugangskarte liegt in Fach 17.'

let empty: Rig

beforeAll(async () => {
  empty = await rig({ keep: true })
})

describe('stablemem_commit', () => {
  it('a model that calls it leaves one event in its session, and reads back the id', async () => {
    const call = { name: 'stablemem_commit', arguments: { text: FACT, scene: 'office/keys', source: 'Ada' } }
    const { host, server, memory } = await rig({ answers: [{ toolCalls: [call] }, { text: 'noted' }] })
    const agent = await agentIn(host)
    const events = await host.runTurn(agent, 'remember where the card is')
    const id = blockId(FACT)
    expect(textsOf(server.last(), 'tool')).toEqual([`Remembered as ${id}.`])
    expect(oursIn(events, 'commit')).toMatchObject([
      {
        text: FACT,
        scene: 'office/keys',
        source: 'Ada',
        origin: 'tool',
        at: { session: agent.session.id, turn: 1, step: 1 },
      },
    ])
    const { hits } = await memory.recall('Zugangskarte', { session: agent.session })
    expect(hits).toMatchObject([{ id, text: FACT, scene: 'office/keys', source: 'Ada', places: 1 }])
    expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'completed' } } })
  })

  it('is offered to the model with its parameters', async () => {
    const { host, server } = await rig()
    await host.runTurn(await agentIn(host), 'hi')
    const tool = server.last().tools?.find(({ function: { name } }) => name === 'stablemem_commit')
    expect(tool?.function.parameters).toMatchObject({
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string' }, scene: { type: 'string' }, source: {}, semanticType: {} },
    })
  })

  it('says when memory held the text already', async () => {
    const { host } = await rig()
    const agent = await agentIn(host)
    const first = await callTool(host, 'stablemem_commit', { text: FACT }, agent)
    const again = await callTool(host, 'stablemem_commit', { text: ` ${FACT}` }, agent)
    expect(first).toMatchObject({ isError: false, value: { id: blockId(FACT), created: true } })
    expect(again).toMatchObject({ isError: false, value: { id: blockId(FACT), created: false } })
    expect(textOf(again)).toContain('held this already')
  })

  it('names what it replaces by itself, and what is on the same subject and still counts', async () => {
    const { host } = await rig()
    const agent = await agentIn(host)
    const say = async (text: string) => textOf(await callTool(host, 'stablemem_commit', { text }, agent))
    const old = 'svc-billing|owner=Mira Okafor'
    expect(await say(old)).toBe(`Remembered as ${blockId(old)}.`)
    expect(await say('svc-billing|owner=Chen Wei')).toBe(
      `Remembered as ${blockId('svc-billing|owner=Chen Wei')}.\nIt replaces ${blockId(old)}: a later value of svc-billing | owner.`,
    )
    const prose = '生产环境的 Redis 端口是 6380，由李雷"维护"。'
    expect(await say(prose)).toBe(`Remembered as ${blockId(prose)}.`)
    const answer = await say('生产环境 Redis 以后由王芳维护，端口 7001。')
    expect(answer).toContain(
      `\nPerhaps on the same subject, and still counting: ${blockId(prose)} ${JSON.stringify(prose)}\n`,
    )
    expect(answer).toContain('`stablemem_link` with type supersedes')
    // Nothing of it is another's business, and none of it costs a word where nothing is near.
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere' })
    const there = await callTool(host, 'stablemem_commit', { text: '生产环境 Redis 由韩梅维护。' }, elsewhere)
    expect(textOf(there)).toBe(`Remembered as ${blockId('生产环境 Redis 由韩梅维护。')}.`)
    expect(await say('The office plants are watered on Fridays.')).not.toContain('\n')
  })

  it.each([
    ['NUL', { text: 'a\0b' }, 'position 1'],
    ['blank', { text: '  ' }, 'empty'],
    ['too large', { text: 'x'.repeat(70_000) }, '70000 bytes'],
    ['metadata that is too long', { text: 'x', scene: 'y'.repeat(600) }, 'scene'],
    ['no text', {}, 'text'],
    ['not a text', { text: 7 }, 'text'],
  ])('refuses bad input in words, and writes nothing: %s', async (_, args, reason) => {
    const { host, memory } = empty
    const agent = await agentIn(host)
    const before = agent.session.seq
    const result = await callTool(host, 'stablemem_commit', args, agent)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(reason)
    expect(agent.session.seq).toBe(before)
    expect(await memory.stats()).toMatchObject({ events: 0, blocks: 0 })
  })

  it('is named after `toolName`', async () => {
    const { host } = await rig({ config: { toolName: 'notes' } })
    expect(host.ctx.tools.get('stablemem_commit')).toBeUndefined()
    const committed = await outputOf<{ created: boolean }>(callTool(host, 'notes_commit', { text: FACT }))
    expect(committed.created).toBe(true)
  })

  it('what is already aborted is not written', async () => {
    const { host, memory } = await rig()
    const agent = await agentIn(host)
    const result = await callTool(host, 'stablemem_commit', { text: FACT }, agent, AbortSignal.abort())
    expect(result.isError).toBe(true)
    expect(await memory.stats()).toMatchObject({ events: 0 })
  })
})
