import { beforeAll, describe, expect, it } from 'vitest'
import { blockId, isEventId } from '../../src/events/index.ts'
import { CommandRefusedError } from '../../src/plugin/index.ts'
import { agentIn, oursIn, type Rig, rig } from './rig.ts'

let shared: Rig

beforeAll(async () => {
  shared = await rig({ keep: true })
})

describe('ctx.stablemem.commit', () => {
  it('with a session, leaves its event in that session', async () => {
    const { host, memory } = shared
    const { session } = await agentIn(host)
    const committed = await memory.commit({ text: 'the fuse box is in the hall' }, { session })
    expect(committed).toEqual({ id: blockId('the fuse box is in the hall'), created: true })
    const [event] = oursIn(session.events, 'commit')
    expect(event).toMatchObject({
      v: 1,
      text: 'the fuse box is in the hall',
      origin: 'api',
      at: { session: session.id },
    })
    expect(isEventId(event?.id)).toBe(true)
  })

  it('without one, is kept all the same, and enters no session', async () => {
    const { host, memory } = shared
    const { session } = await agentIn(host)
    const before = session.seq
    await memory.commit({ text: 'the ladder is behind the shed' })
    expect(session.seq).toBe(before)
    const { hits } = await memory.recall('ladder')
    expect(hits).toMatchObject([{ text: 'the ladder is behind the shed', said: [{ session: '', seq: null }] }])
  })

  it('called by another plugin during a run, belongs to the agent whose run it is', async () => {
    const { host, memory } = shared
    const agent = await agentIn(host)
    await host.ctx.agents.withInitiator(agent, () => memory.commit({ text: 'the spare tyre is flat' }))
    expect(oursIn(agent.session.events, 'commit')).toMatchObject([{ text: 'the spare tyre is flat' }])
  })

  it('a session that has ended is not written to, and its memory is kept', async () => {
    const { host, memory } = shared
    const agent = await agentIn(host)
    const { session } = agent
    await host.disposeAgent(agent)
    const before = session.seq
    await memory.commit({ text: 'the gate code is 9071' }, { session })
    expect(session.seq).toBe(before)
    expect((await memory.recall('gate code', { session })).hits).toHaveLength(1)
  })

  it.each([
    ['NUL', { text: 'a\0b' }, 'nul'],
    ['nothing', { text: ' ' }, 'empty_text'],
    ['too much', { text: 'x'.repeat(70_000) }, 'too_large'],
    ['not a text', { text: 7 as unknown as string }, 'not_text'],
    ['a bad frame', { text: 'x', frame: { ts: 0.5 } }, 'bad_field'],
  ])('refuses %s with its code, and leaves session, journal and database as they were', async (_, input, code) => {
    const { host, memory } = shared
    const { session } = await agentIn(host)
    const [seq, { events }] = [session.seq, await memory.stats()]
    const refused = memory.commit(input, { session })
    await expect(refused).rejects.toThrow(CommandRefusedError)
    await expect(refused).rejects.toMatchObject({ code })
    expect(session.seq).toBe(seq)
    expect((await memory.stats()).events).toBe(events)
  })

  it('clocks rise strictly within a session', async () => {
    const { host, memory } = shared
    const { session } = await agentIn(host)
    await Promise.all(Array.from({ length: 20 }, (_, n) => memory.commit({ text: `shelf ${n} is full` }, { session })))
    const clocks = oursIn(session.events, 'commit').map(({ clock }) => Number(clock))
    expect(clocks).toHaveLength(20)
    expect(clocks.every((clock, at) => at === 0 || clock > (clocks[at - 1] ?? 0))).toBe(true)
  })

  it('a recall right after a commit sees it', async () => {
    const { memory } = shared
    for (let n = 0; n < 20; n++) {
      await memory.commit({ text: `locker ${n} belongs to Zoe${n}x` })
      const { hits } = await memory.recall(`Zoe${n}x`)
      expect(hits[0]?.text).toBe(`locker ${n} belongs to Zoe${n}x`)
    }
  })
})

describe('ctx.stablemem.recall', () => {
  it('takes a number for topK, or all options', async () => {
    const { memory } = shared
    for (const n of [1, 2, 3]) await memory.commit({ text: `the north window ${n} is stuck` })
    expect((await memory.recall('north window', 2)).hits).toHaveLength(2)
    expect((await memory.recall('north window', { topK: 3 })).hits).toHaveLength(3)
    const second = await memory.recall('north window', { topK: 1, offset: 1 })
    expect(second.hits[0]?.id).toBe((await memory.recall('north window', 2)).hits[1]?.id)
  })

  it('an aborted one rejects at once', async () => {
    const { memory } = shared
    await expect(memory.recall('window', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
  })

  it('leaves nothing in a session: only what was shown to a model is recorded', async () => {
    const { host, memory } = shared
    const { session } = await agentIn(host)
    const before = session.seq
    await memory.recall('window', { session })
    expect(session.seq).toBe(before)
  })
})
