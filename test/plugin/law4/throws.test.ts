import { describe, expect, it } from 'vitest'
import type { RecallAnswer } from '../../../src/readmodels/index.ts'
import { agentIn, rig } from '../rig.ts'
import { INTACT, modelOf, QUESTION, ready, turn } from './sabotage.ts'

const broken = new Error('memory is broken')
const asAnswer = (value: unknown) => Promise.resolve(value as RecallAnswer)
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw broken
    },
  },
)

const FAULTS: ReadonlyArray<[string, () => Promise<RecallAnswer>]> = [
  [
    'it throws at once',
    () => {
      throw broken
    },
  ],
  ['it rejects', () => Promise.reject(broken)],
  ['it rejects with nothing', () => Promise.reject(undefined)],
  ['it answers nothing', () => asAnswer(undefined)],
  ['it answers null', () => asAnswer(null)],
  ['its hits are no list', () => asAnswer({ hits: 7 })],
  ['a hit is null', () => asAnswer({ hits: [null] })],
  ['a hit is empty', () => asAnswer({ hits: [{}] })],
  ['a hit throws when looked at', () => asAnswer({ hits: [hostile], symbols: [], degraded: [], outcome: 'hits' })],
  [
    'the answer throws when looked at',
    async () =>
      asAnswer({
        get hits() {
          throw broken
        },
      }),
  ],
  ['it never answers', () => new Promise(() => undefined)],
]

describe('a recall that goes wrong leaves the turn intact', () => {
  it('control: in a listener that does not contain it, the same throw loses what the user said', async () => {
    const made = await rig({ config: { inject: false } })
    const agent = await ready(made)
    made.host.ctx.on('agent/pre-step', () => {
      throw broken
    })
    const events = await made.host.runTurn(agent, QUESTION)
    expect(events.map(({ type }) => type)).not.toContain('user/message')
    expect(made.server.requests).toHaveLength(0)
  })

  it('control: without a fault it injects', async () => {
    const made = await rig()
    expect(await turn(made, await ready(made))).toMatchObject({ ...INTACT, injected: true })
  })

  it.each(FAULTS)('%s', async (_, fault) => {
    const made = await rig({ config: { injection: { deadlineMs: 400 } } })
    const agent = await ready(made)
    const model = modelOf(made)
    model.recall = fault
    const result = await turn(made, agent)
    expect(result).toMatchObject({ ...INTACT, injected: false })
    expect(result.milliseconds).toBeLessThan(2_500)
  })

  it('its event cannot be written', async () => {
    const made = await rig()
    const agent = await ready(made)
    modelOf(made).fold = () => Promise.reject(broken)
    expect(await turn(made, agent)).toMatchObject({ ...INTACT, injected: true })
    expect(made.host.logs.some(({ type, text }) => type === 'warn' && text.includes('memory is broken'))).toBe(true)
  })

  it('the folds over the session throw when they are read', async () => {
    const made = await rig()
    const agent = await ready(made)
    made.host.ctx.sessionProjections.snapshot = () => {
      throw broken
    }
    expect(await turn(made, agent)).toMatchObject({ ...INTACT, injected: true })
  })

  it('the namespace of the session is never found', async () => {
    const made = await rig({ config: { namespace: 'session', injection: { deadlineMs: 400 } } })
    await ready(made)
    made.host.ctx.sessionPersistence.list = () => new Promise(() => undefined)
    const orphan = await made.host.createAgent({ sessionId: 'orphan', cwd: made.host.home, parentSession: 'gone' })
    const result = await turn(made, orphan)
    expect(result).toMatchObject({ ...INTACT, injected: false })
    expect(result.milliseconds).toBeLessThan(2_500)
  })
})

describe('a session that cannot be read', () => {
  it('is opened all the same, and its turns work', async () => {
    const made = await rig()
    await ready(made)
    const off = made.host.ctx.on(
      'session/created',
      session => {
        Object.defineProperty(session, 'seq', {
          configurable: true,
          get: () => {
            throw broken
          },
        })
        setImmediate(() => Reflect.deleteProperty(session, 'seq'))
      },
      { prepend: true },
    )
    const agent = await agentIn(made.host)
    off()
    await new Promise(resolve => setImmediate(resolve))
    expect(await turn(made, agent)).toMatchObject(INTACT)
  })
})
