import { describe, expect, it } from 'vitest'
import { blockId, isEventId, recallSchema, shortHash } from '../../../src/events/index.ts'
import { isOwnRecall } from '../../../src/plugin/host/sources.ts'
import { estimateTokens } from '../../../src/plugin/injection/tokens.ts'
import { readStoredEvents } from '../../support/logs.ts'
import { agentIn, injectedIn, oursIn, recalledIn, rig } from '../rig.ts'

const QUESTION = 'where is the runbook that Ada Vex keeps in a drawer?'
const NOTES = ['the runbook lies in drawer 4324', 'Ada Vex keeps the runbook']

async function filled(config: object = {}) {
  const made = await rig({ config })
  const { session } = await agentIn(made.host)
  for (const text of NOTES) await made.memory.commit({ text }, { session })
  return { ...made, agent: await agentIn(made.host) }
}

describe('hologram/recall', () => {
  it('says what was injected, as which message, and what it cost', async () => {
    const { host, agent } = await filled()
    const events = await host.runTurn(agent, QUESTION)
    const [message] = injectedIn(events)
    const [recall] = oursIn(events, 'recall')
    expect(recallSchema.safeParse(recall).error).toBeUndefined()
    expect(recall).toMatchObject({
      mode: 'inject',
      outcome: 'hits',
      message: message?.id,
      tokens: estimateTokens(message?.text ?? ''),
      query: { hash: shortHash(QUESTION), chars: QUESTION.length },
      at: { session: agent.session.id, turn: 1 },
    })
    expect(isEventId(recall?.id)).toBe(true)
    const shown = [...(message?.text ?? '').matchAll(/<note id="([^"]+)"/g)].map(match => match[1])
    expect(recall?.hits).toMatchObject(shown.map(block => ({ block })))
    expect([...shown].sort()).toEqual(NOTES.map(blockId).sort())
  })

  it('is marked, stored as it was live, and holds neither question nor notes', async () => {
    const { host, agent } = await filled()
    await host.runTurn(agent, QUESTION)
    const live = agent.session.events.filter(({ type }) => String(type).startsWith('hologram/'))
    expect(live.map(({ type, ignorable }) => [type, ignorable])).toEqual([
      ['hologram/recall', true],
      ['hologram/archive', true],
    ])
    expect(JSON.stringify(live[0])).not.toMatch(/where is the|4324/)
    await host.stop()
    const stored = await readStoredEvents(host.sessionsRoot, agent.session.id)
    expect(stored.filter(({ type }) => String(type).startsWith('hologram/'))).toEqual(live)
  })

  it('comes before the message it speaks of, inside the turn', async () => {
    const { host, agent } = await filled()
    const types = (await host.runTurn(agent, QUESTION)).map(({ type }) => String(type))
    expect(types.indexOf('hologram/recall')).toBeGreaterThan(types.indexOf('turn/start'))
    expect(types.indexOf('hologram/recall')).toBeLessThan(types.indexOf('step/start'))
  })

  it('counts only when its message is in the log: one that was dropped on the way was never seen or paid for', async () => {
    const { host, server, agent } = await filled({ injection: { sessionTokens: 250 } })
    const off = host.ctx.on(
      'agent/pre-step',
      async (_, next) => {
        const decision = await next()
        if (decision.kind !== 'enter') return decision
        return { ...decision, messages: decision.messages.filter(message => !isOwnRecall(message)) }
      },
      { prepend: true },
    )
    for (let turn = 0; turn < 4; turn++) await host.runTurn(agent, QUESTION)
    expect(oursIn(agent.session.events, 'recall')).toHaveLength(4)
    expect(injectedIn(agent.session.events)).toEqual([])
    off()
    await host.runTurn(agent, QUESTION)
    expect(recalledIn(server)).toHaveLength(1)
  })

  it('is not left where nothing was injected', async () => {
    const { host, agent } = await filled()
    await host.runTurn(agent, QUESTION)
    const later = await host.runTurn(agent, QUESTION)
    const nothing = await host.runTurn(await agentIn(host), 'zzyzx?')
    expect([oursIn(later, 'recall'), oursIn(nothing, 'recall')]).toEqual([[], []])
  })

  it('a note is in no system section and in no tool of any request', async () => {
    const { host, server, agent } = await filled()
    await host.runTurn(agent, QUESTION)
    const { messages, tools } = server.last()
    expect(recalledIn(server)).toHaveLength(1)
    expect(JSON.stringify([messages.filter(({ role }) => role !== 'user'), tools])).not.toContain('drawer 4324')
  })
})

describe('no feedback (case 18)', () => {
  it('a memory that is recalled turn after turn, in session after session, stays one memory said once', async () => {
    const { host, memory } = await rig()
    await memory.commit({ text: 'desk extension is 4324' }, { session: (await agentIn(host)).session })
    for (let turn = 0; turn < 3; turn++) await host.runTurn(await agentIn(host), 'what is the desk extension?')
    const { hits } = await memory.recall('desk extension', { scope: 'all' })
    expect(hits).toMatchObject([{ places: 1 }])
    expect((await memory.stats()).blocks).toBe(1)
  })
})
