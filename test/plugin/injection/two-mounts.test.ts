import { describe, expect, it } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import * as plugin from '../../../src/plugin/index.ts'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, injectedIn, oursIn, PATIENT, recalledIn, rig } from '../rig.ts'
import { callTool, outputOf } from '../tools/call.ts'

const QUESTION = 'where is the runbook?'

/** The same plugin once more; the host knows a second mount by its own plugin object. */
const again = () => ({ ...plugin })

describe('two mounts in one harness, under different tool names', () => {
  it('inject once, and leave one record of it', async () => {
    const { host, server, memory } = await rig()
    await host.mount(again(), { ...PATIENT, toolName: 'notes' })
    await memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(host)).session })
    const agent = await agentIn(host)
    const events = await host.runTurn(agent, QUESTION)
    expect(recalledIn(server)).toHaveLength(1)
    expect(injectedIn(events)).toHaveLength(1)
    expect(oursIn(events, 'recall')).toHaveLength(1)
    const { entries } = await memory.history(blockId('the runbook lies in drawer 4324'), { session: agent.session })
    expect(entries.map(({ verb }) => verb).sort()).toEqual(['commit', 'recall'])
  })

  it('do not inject again in later turns what either has injected', async () => {
    const { host, memory } = await rig()
    await host.mount(again(), { ...PATIENT, toolName: 'notes' })
    await memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(host)).session })
    const agent = await agentIn(host)
    for (let turn = 0; turn < 3; turn++) await host.runTurn(agent, QUESTION)
    expect(injectedIn(agent.session.events)).toHaveLength(1)
  })

  it('share one memory, each through tools of its own', async () => {
    const { host } = await rig()
    await host.mount(again(), { ...PATIENT, toolName: 'notes' })
    await outputOf(callTool(host, 'notes_commit', { text: 'the kettle is descaled' }))
    const answer = await outputOf<{ hits: unknown[] }>(callTool(host, 'stablemem_recall', { query: 'kettle' }))
    expect(answer.hits).toHaveLength(1)
  })

  it('each tell the model of their own tools, in a line that never changes', async () => {
    const { host, server } = await rig()
    await host.mount(again(), { ...PATIENT, toolName: 'notes' })
    const agent = await agentIn(host)
    await host.runTurn(agent, 'hi')
    await host.runTurn(agent, 'hi again')
    const told = textsOf(server.last(), 'user').filter(text => text.includes('Long-term memory (dsh-hologram) is on'))
    expect(told).toHaveLength(1)
    for (const tool of ['stablemem_recall', 'stablemem_commit', 'notes_recall', 'notes_commit']) {
      expect(told.join()).toContain(`\`${tool}\``)
    }
  })

  it('unloading one leaves the other whole', async () => {
    const { host, fiber, server, memory } = await rig()
    await memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(host)).session })
    await host.mount(again(), { ...PATIENT, toolName: 'notes' })
    await fiber.dispose()
    await host.runTurn(await agentIn(host), QUESTION)
    expect(recalledIn(server)).toHaveLength(1)
    expect(host.ctx.tools.get('stablemem_recall')).toBeUndefined()
    expect((await callTool(host, 'notes_recall', { query: 'runbook' })).isError).toBe(false)
  })

  it('under the same name the second is refused, and the first goes on', async () => {
    const { host, server, memory } = await rig()
    await memory.commit({ text: 'the runbook lies in drawer 4324' }, { session: (await agentIn(host)).session })
    await expect(host.mount(again())).rejects.toThrow(/already registered/)
    await host.runTurn(await agentIn(host), QUESTION)
    expect(recalledIn(server)).toHaveLength(1)
  })
})
