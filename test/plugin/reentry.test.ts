/**
 * Case 21: a host refuses every append inside the publication of another and only logs it. What is asked of memory there
 * is written when the publication has unwound, and nothing is dropped in silence.
 */
import { expect, it } from 'vitest'
import { SessionWriter } from '../../src/plugin/writer.ts'
import { commit } from '../events/samples.ts'
import { agentIn, oursIn, rig } from './rig.ts'

it('a memory that is committed inside a session event listener is in the log, and found', async () => {
  const { host, memory } = await rig()
  const agent = await agentIn(host)
  const committing: Array<Promise<unknown>> = []
  host.ctx.on('session/event', (session, event) => {
    if (event.type === 'turn/end') committing.push(memory.commit({ text: 'the turn ended at gate 4324' }, { session }))
  })
  await host.runTurn(agent, 'hello')
  expect(await Promise.all(committing)).toMatchObject([{ created: true }])
  expect(oursIn(agent.session.events, 'commit')).toHaveLength(1)
  expect((await memory.recall('gate 4324', { session: agent.session })).hits).toHaveLength(1)
})

it('an append that the host refuses inside a publication is made once that has unwound', async () => {
  const { host } = await rig()
  const { session } = await agentIn(host)
  const tried: string[] = []
  const writer = new SessionWriter(host.ctx, {
    strategy: 'mark-at-birth',
    append: (into, verb) => {
      tried.push(verb)
      if (tried.length === 1) throw new Error('session append cannot reenter while another append is being published')
      return into.append('turn/start', { turn: tried.length })
    },
  })
  expect(await writer.write(session, 'commit', () => commit())).toMatchObject({ seq: session.seq - 1 })
  expect(tried).toEqual(['commit', 'commit'])
})

it('one that is refused again is in the journal, and the harness is told', async () => {
  const { host } = await rig()
  const { session } = await agentIn(host)
  const refuse = () => {
    throw new Error('the log is closed')
  }
  const writer = new SessionWriter(host.ctx, { strategy: 'mark-at-birth', append: refuse })
  const written = await writer.write(session, 'commit', () => commit())
  expect(written).toEqual({ type: 'hologram/commit', data: commit() })
  expect(host.logs.map(({ text }) => text).join('\n')).toContain('it is in the journal only: the log is closed')
})

it('one whose session is gone when its turn comes is in the journal, and found', async () => {
  const { host, memory } = await rig()
  const agent = await agentIn(host)
  let committing: Promise<unknown> | undefined
  host.ctx.on('session/event', (session, event) => {
    if (event.type === 'turn/end') committing = memory.commit({ text: 'the turn ended at gate 9071' }, { session })
  })
  // The namespace is found by the session, and its end is not waited for.
  const running = host.runTurn(agent, 'hello')
  await expect.poll(() => committing).toBeDefined()
  await host.disposeAgent(agent)
  await running.catch(() => undefined)
  expect(await committing).toMatchObject({ created: true })
  expect((await memory.recall('gate 9071', { scope: 'all' })).hits).toHaveLength(1)
})
