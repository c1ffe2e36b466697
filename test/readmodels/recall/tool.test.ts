import type { Agent } from '@deepseek-ai/dsh-agent'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StableMemory } from '../../../src/plugin/index.ts'
import { agentIn, rig } from '../../plugin/rig.ts'
import { recalled } from '../../plugin/tools/call.ts'
import type { Host } from '../../support/host.ts'

let host: Host
let memory: StableMemory
let agent: Agent

beforeAll(async () => {
  const made = await rig({ keep: true })
  host = made.host
  memory = made.memory
  agent = await agentIn(host)
})

describe('paths of recall, on the real host', () => {
  it('a scene is listed by the tool when nothing else is asked', async () => {
    for (const [text, scene] of [
      ['pump runs at noon', 'Plant/Hall A'],
      ['valve is red', 'plant/hall_a/east'],
      ['gate is open', 'plant/hall_ab'],
    ] as const)
      await memory.commit({ text, scene }, { session: agent.session })
    const { hits, outcome } = await recalled(host, '', agent, { scene: 'plant/hall a' })
    expect(outcome).toBe('hits')
    expect(hits.map(hit => hit.text)).toEqual(['valve is red', 'pump runs at noon'])
  })

  it('what is linked comes after what was found, when asked for', async () => {
    const [from, to] = await Promise.all(
      ['zebra stripes', 'unrelated words'].map(text => memory.commit({ text }, { session: agent.session })),
    )
    if (from === undefined || to === undefined) throw new Error('nothing was committed')
    const ends = { sourceKind: 'block', sourceId: from.id, targetKind: 'block', targetId: to.id } as const
    await memory.link({ ...ends, type: 'relates' }, { session: agent.session })
    const texts = async (more: object) => (await recalled(host, 'zebra', agent, more)).hits.map(hit => hit.text)
    expect(await texts({})).toEqual(['zebra stripes'])
    expect(await texts({ associate: 3 })).toEqual(['zebra stripes', 'unrelated words'])
  })

  it('a session may be asked for, and a ranking of vectors brought along', async () => {
    const other = await agentIn(host)
    const { id } = await memory.commit({ text: 'heron said elsewhere' }, { session: other.session })
    await memory.commit({ text: 'heron said here' }, { session: agent.session })
    const here = await memory.recall('heron', { session: agent.session, filters: { session: agent.session.id } })
    expect(here.hits.map(hit => hit.text)).toEqual(['heron said here'])
    const near = await memory.recall('bird', { session: agent.session, near: [{ id, similarity: 0.8 }] })
    expect(near.hits.map(hit => hit.text)).toEqual(['heron said elsewhere'])
  })

  it('a fact said in several spellings is shown once, with what was said of it (case 9)', async () => {
    const { session } = await agentIn(host)
    const given = [
      'port is 8080',
      'port is 8080 ',
      'port  is 8080',
      'port is 8080',
      'caf\u00e9',
      'cafe\u0301',
      'Port is 8080',
    ]
    await memory.commit({ text: given[0] ?? '', scene: 'net', source: 'readme' }, { session })
    for (const text of given) await memory.commit({ text }, { session })
    const { hits } = await memory.recall('port 8080', { session, filters: { session: session.id } })
    // Letter case makes another block; nothing else of these does.
    expect(hits.map(hit => hit.text).sort()).toEqual(['Port is 8080', 'port is 8080'])
    expect(hits.find(hit => hit.text === 'port is 8080')).toMatchObject({ scene: 'net', source: 'readme', places: 5 })
    const cafe = await memory.recall('café', { session, filters: { session: session.id } })
    expect(cafe.hits).toMatchObject([{ text: 'caf\u00e9', places: 2 }])
  })

  it('what was said today is found by asking for today', async () => {
    const { session } = await agentIn(host)
    await memory.commit({ text: 'the kiln was lit' }, { session })
    for (const query of ['what was said today?', '今天说了什么']) {
      const { hits } = await recalled(host, query, { ...agent, session } as Agent, { scope: 'session' })
      expect(hits).toMatchObject([
        { text: 'the kiln was lit', why: expect.stringMatching(/^said on \d{4}-\d\d-\d\d$/) },
      ])
    }
  })

  it('a value that a later one outside the scene replaced says so', async () => {
    const { session } = await agentIn(host)
    await memory.commit({ text: 'heater|mode=auto', scene: 'plant/hall_c' }, { session })
    const { id } = await memory.commit({ text: 'heater|mode=manual', scene: 'chat' }, { session })
    const { hits } = await recalled(host, 'heater mode', agent, { scene: 'plant/hall_c' })
    expect(hits).toMatchObject([{ text: 'heater|mode=auto', supersededBy: id, why: expect.stringContaining(id) }])
  })
})
