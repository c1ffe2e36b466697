import { describe, expect, it } from 'vitest'
import { die } from '../../support/die.ts'
import { agentIn, oursIn, rig } from '../rig.ts'
import { INTACT, modelOf, NOTE, ready, turn } from './sabotage.ts'

describe('a worker that dies', () => {
  it('costs a turn nothing, and a new one answers the next', async () => {
    const made = await rig()
    const agent = await ready(made)
    await die(modelOf(made).thread)
    expect(await turn(made, agent)).toMatchObject(INTACT)
    expect(await turn(made, await agentIn(made.host))).toMatchObject({ ...INTACT, injected: true })
  })

  it('in the middle of a turn costs it nothing', async () => {
    const made = await rig({ config: { injection: { deadlineMs: 10_000 } } })
    const agent = await ready(made)
    const model = modelOf(made)
    if (model.thread === undefined) throw new Error('there is no worker')
    model.thread.postMessage = () => undefined
    setTimeout(() => void die(model.thread), 100)
    const result = await turn(made, agent)
    expect(result).toMatchObject(INTACT)
    expect(result.milliseconds).toBeLessThan(5_000)
  })

  it('takes no commit with it in silence: it is refused in words, and the session still holds it', async () => {
    const made = await rig()
    const { session } = await ready(made)
    const model = modelOf(made)
    const { thread } = model
    if (thread === undefined) throw new Error('there is no worker')
    const post = thread.postMessage.bind(thread)
    thread.postMessage = (message: { method?: string }) => (message.method === 'fold' ? undefined : post(message))
    const commit = made.memory.commit({ text: 'the gate code is 9071' }, { session })
    setTimeout(() => void die(model.thread), 100)
    await expect(commit).rejects.toMatchObject({ name: 'MemoryUnavailableError', code: 'unavailable' })
    await expect(commit).rejects.toThrow(/worker died.*session log.*next start/)
    expect(oursIn(session.events, 'commit')).toHaveLength(1)
    expect(await made.memory.commit({ text: 'the gate code is 9072' }, { session })).toMatchObject({ created: true })
  })

  it('again and again is left alone for a while, and turns go on', async () => {
    const made = await rig()
    await ready(made)
    const model = modelOf(made)
    for (let death = 0; death < 8; death++) {
      await die(model.thread)
      await made.memory.recall('x').catch(() => undefined)
    }
    await expect(made.memory.commit({ text: NOTE })).rejects.toThrow(/memory/)
    expect(model.thread).toBeUndefined()
    expect(await turn(made, await agentIn(made.host))).toMatchObject({ ...INTACT, injected: false })
  })
})

describe('a worker that never answers', () => {
  it('costs a turn its deadline at most', async () => {
    const made = await rig({ config: { injection: { deadlineMs: 400 } } })
    const agent = await ready(made)
    const { thread } = modelOf(made)
    if (thread === undefined) throw new Error('there is no worker')
    thread.postMessage = () => undefined
    const result = await turn(made, agent)
    expect(result).toMatchObject({ ...INTACT, injected: false })
    expect(result.milliseconds).toBeLessThan(2_500)
  })

  it('delays nothing but that, and less when the deadline is shorter', async () => {
    const made = await rig({ config: { injection: { deadlineMs: 10 } } })
    const agent = await ready(made)
    const { thread } = modelOf(made)
    if (thread === undefined) throw new Error('there is no worker')
    thread.postMessage = () => undefined
    await turn(made, agent)
    expect((await turn(made, agent)).milliseconds).toBeLessThan(1_000)
  })
})
