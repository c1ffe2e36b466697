/** What a model looks up by the tool leaves an event, which is never taken for something that was put before it. */
import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { blocksUnit, injectedIn as injectedBy, recallUnit } from '../../../src/projections/index.ts'
import { tempDir } from '../../support/temp.ts'
import { agentIn, injectedIn, oursIn, recalledIn, rig } from '../rig.ts'
import { callTool, recalled } from './call.ts'

const FACT = 'the runbook lies in drawer 4324'
const ID = blockId(FACT)

async function filled(config: object = {}) {
  const made = await rig({ config })
  await made.memory.commit({ text: FACT }, { session: (await agentIn(made.host)).session })
  return { ...made, agent: await agentIn(made.host) }
}

describe('a recall by tool', () => {
  it('leaves one event in the session of its caller: mode tool, hits with reasons, and no question', async () => {
    const { host, agent } = await filled()
    await recalled(host, 'who put runbooks into drawer 4324?', agent)
    const [event, ...more] = oursIn(agent.session.events, 'recall')
    expect(more).toEqual([])
    expect(event).toMatchObject({
      mode: 'tool',
      outcome: 'hits',
      query: { symbols: ['4324'] },
      hits: [{ block: ID, exact: true, why: expect.stringContaining('4324') }],
      at: { session: agent.session.id },
    })
    expect(JSON.stringify(event)).not.toContain('who put')
    expect(event).not.toHaveProperty('message')
  })

  it('is told by the history of what it found, and tells what it did not find as well', async () => {
    const { host, memory, agent } = await filled()
    await recalled(host, 'runbook', agent)
    await recalled(host, 'port 9999', agent)
    const { entries } = await memory.history(ID, { session: agent.session })
    expect(entries.map(({ verb, what, session }) => [verb, what.split(',')[0], session])).toEqual([
      ['commit', 'said by api', expect.anything()],
      ['recall', 'recalled by tool', agent.session.id],
    ])
    expect(oursIn(agent.session.events, 'recall')).toMatchObject([
      { outcome: 'hits' },
      { outcome: 'refused', hits: [] },
    ])
  })

  it('is no injection: the note is put before the model when a human asks', async () => {
    const { host, server, agent } = await filled()
    await recalled(host, 'runbook', agent)
    const { events } = agent.session
    const folded = events.reduce((state, event) => recallUnit.apply(state, event), recallUnit.init())
    expect(injectedBy(folded)).toEqual([])
    await host.runTurn(agent, 'where is the runbook?')
    expect(recalledIn(server)).toHaveLength(1)
    expect(injectedIn(agent.session.events)).toHaveLength(1)
  })

  it('of blocks of another project keeps no words of theirs', async () => {
    const { host, memory, agent } = await filled()
    const elsewhere = await host.createAgent({ sessionId: 'elsewhere', cwd: tempDir() })
    await recalled(host, 'drawer 4324', elsewhere, { scope: 'all' })
    expect(oursIn(elsewhere.session.events, 'recall')).toMatchObject([{ hits: [{ block: ID, why: '' }] }])
    const { entries } = await memory.history(ID, { session: agent.session })
    expect(entries.map(({ verb }) => verb)).toEqual(['commit'])
  })

  it('outside of any session is in the journal', async () => {
    const { host, memory } = await filled({ namespace: 'team' })
    expect((await callTool(host, 'stablemem_recall', { query: 'runbook' })).isError).toBe(false)
    await expect
      .poll(async () => (await memory.history(ID)).entries.map(({ what, session }) => [what.split(',')[0], session]))
      .toEqual([
        ['said by api', expect.any(String)],
        ['recalled by tool', ''],
      ])
  })

  it('that fails leaves none', async () => {
    const { host, agent } = await filled()
    const before = agent.session.seq
    expect((await callTool(host, 'stablemem_recall', { query: 7 }, agent)).isError).toBe(true)
    const fold = agent.session.events.reduce((state, event) => blocksUnit.apply(state, event), blocksUnit.init())
    expect([agent.session.seq, fold.skipped]).toEqual([before, 0])
  })

  it('several at once each leave theirs, and their clocks rise', async () => {
    const { host, agent } = await filled()
    await Promise.all(Array.from({ length: 10 }, () => recalled(host, 'runbook', agent)))
    const clocks = oursIn(agent.session.events, 'recall').map(({ clock }) => Number(clock))
    expect(clocks).toHaveLength(10)
    expect(clocks).toEqual([...new Set(clocks)].sort((a, b) => a - b))
  })
})
