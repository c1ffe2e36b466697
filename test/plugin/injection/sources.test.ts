import { createUserMessage, type MessageSource, type UserMessage } from '@deepseek-ai/dsh-llm'
import { beforeAll, describe, expect, it } from 'vitest'
import { shortHash } from '../../../src/events/index.ts'
import { isHuman, isOwnRecall, recallSource } from '../../../src/plugin/host/sources.ts'
import { humanWords } from '../../../src/plugin/injection/words.ts'
import { textsOf } from '../../support/model-server.ts'
import { scanSourceKinds } from '../../support/source-kinds.ts'
import { agentIn, injectedIn, oursIn, type Rig, recalledIn, rig } from '../rig.ts'

const QUESTION = 'where is the runbook?'
const KINDS = scanSourceKinds()
const foreign = [...new Set(KINDS.map(({ kind }) => kind).filter(kind => kind !== 'user'))]

/** A source of a kind as nobody's types know it: the host checks only that the kind is a text. */
const sourceOf = (kind: string, more: object = {}) => ({ kind, ...more }) as unknown as MessageSource

function message(text: string, source: MessageSource): UserMessage {
  return createUserMessage({ content: [{ type: 'text', text }], source })
}

let made: Rig

beforeAll(async () => {
  made = await rig({ keep: true, skills: true })
  const { session } = await agentIn(made.host)
  await made.memory.commit({ text: 'the runbook lies in drawer 4324' }, { session })
})

/** Runs one real turn with a message of a source. */
async function turn(source: MessageSource, text = QUESTION) {
  const agent = await agentIn(made.host)
  const events = await made.host.runMessage(agent, message(text, source))
  return { agent, events, recalls: oursIn(events, 'recall'), injected: injectedIn(events) }
}

describe('whose words are a question', () => {
  it('there are foreign kinds to try', () => {
    expect(foreign.length).toBeGreaterThan(8)
  })

  it.each(foreign)('%s is never one, and its message reaches the model as without us', async kind => {
    const more = kind === 'plugin' ? { plugin: 'somebody', form: 'note' } : {}
    const { events, recalls, injected } = await turn(sourceOf(kind, more))
    expect([recalls, injected]).toEqual([[], []])
    expect(textsOf(made.server.last(), 'user')[0]).toBe(QUESTION)
    expect(events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
  })

  it.each(KINDS.filter(({ kind }) => kind === 'user'))('$member is one', async ({ member }) => {
    const more = member === 'user-rpc' ? { rpcId: 'rpc-1', clientTimeZone: 'Asia/Shanghai' } : {}
    const { recalls, injected } = await turn(sourceOf('user', more))
    expect([recalls.length, injected.length]).toEqual([1, 1])
  })

  it.each(['schedule', 'agent-message', 'runtime-context', 'User', 'user ', 'human', 'plugin:dsh-hologram'])(
    'a kind that hosts may invent is not one: %j',
    async kind => {
      expect((await turn(sourceOf(kind))).recalls).toEqual([])
    },
  )

  it('our own recall, in either shape, is not one, and is known by its source, not by its text', () => {
    const frame = '<recalled-memory from="dsh-hologram">\nx\n</recalled-memory>'
    for (const format of [0, 3, 4]) {
      const own = message(frame, recallSource(format))
      expect([isOwnRecall(own), isHuman(own)]).toEqual([true, false])
    }
    const pasted = message(frame, { kind: 'user' })
    expect([isOwnRecall(pasted), isHuman(pasted)]).toEqual([false, true])
  })

  it.each([undefined, null, 'user', 7, [], {}, { kind: 7 }, { kind: ['user'] }, { type: 'user' }])(
    'without a source there is no question: %j',
    source => {
      const bare = { ...message(QUESTION, { kind: 'user' }), source } as unknown as UserMessage
      expect(humanWords([bare])).toBe('')
      expect(isOwnRecall(bare)).toBe(false)
      // Control: the same message with one.
      expect(humanWords([message(QUESTION, { kind: 'user' })])).toBe(QUESTION)
    },
  )
})

describe('of a mixed batch (case 20)', () => {
  it('the question is the human line alone, not runtime context or skill catalogue', async () => {
    const { events, recalls } = await turn({ kind: 'user' })
    const kinds = events.flatMap(event => (event.type === 'user/message' ? [event.data.source.kind] : []))
    expect(kinds).toEqual(['user', 'plugin', 'skill-catalog', 'plugin'])
    expect(recalls).toMatchObject([{ query: { hash: shortHash(QUESTION), chars: QUESTION.length } }])
  })

  it('what was injected by others before the human spoke is not part of it', async () => {
    const agent = await agentIn(made.host)
    agent.inject(message('drawer 4324 drawer 4324', sourceOf('schedule')))
    agent.inject(message('report of a child: done', sourceOf('subagent-report')))
    const events = await made.host.runTurn(agent, QUESTION)
    expect(oursIn(events, 'recall')).toMatchObject([{ query: { hash: shortHash(QUESTION) } }])
    expect(recalledIn(made.server)).toHaveLength(1)
  })

  it('every line the human said is part of it', async () => {
    const agent = await agentIn(made.host)
    agent.inject(message('the drawer', { kind: 'user' }))
    const events = await made.host.runTurn(agent, QUESTION)
    expect(oursIn(events, 'recall')).toMatchObject([{ query: { hash: shortHash(`the drawer\n\n${QUESTION}`) } }])
  })

  it('a step without a human line recalls nothing; one the human steers does', async () => {
    const agent = await agentIn(made.host)
    made.server.push({ toolCalls: [{ name: 'no_such_tool', arguments: {} }] }, { text: 'a' })
    await made.host.runTurn(agent, 'hello there')
    expect(oursIn(agent.session.events, 'recall')).toEqual([])
    made.server.push(() => {
      agent.steer(message(QUESTION, { kind: 'user' }))
      return { toolCalls: [{ name: 'no_such_tool', arguments: {} }] }
    })
    await made.host.runTurn(agent, 'hello again')
    expect(oursIn(agent.session.events, 'recall')).toHaveLength(1)
    expect(recalledIn(made.server)).toHaveLength(1)
  })

  it('a lone surrogate in the question does no harm (case 33)', async () => {
    const { injected } = await turn({ kind: 'user' }, 'where \ud83d is the runbook?')
    expect(injected).toHaveLength(1)
  })
})

describe('the source of what is injected', () => {
  it('has exactly kind, plugin and form: any other member makes the session impossible to migrate', async () => {
    const { injected } = await turn({ kind: 'user' })
    expect(injected.map(({ source }) => source)).toEqual([{ kind: 'plugin', plugin: 'dsh-hologram', form: 'recall' }])
    expect(Object.keys(injected[0]?.source ?? {}).sort()).toEqual(['form', 'kind', 'plugin'])
  })

  it('carries the plugin in its kind from format 4 on, where `plugin` fails the turn', () => {
    expect(recallSource(3)).toEqual({ kind: 'plugin', plugin: 'dsh-hologram', form: 'recall' })
    expect(recallSource(4)).toEqual({ kind: 'plugin:dsh-hologram', form: 'recall' })
  })
})
