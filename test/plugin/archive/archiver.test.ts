/** Turns on the real host, however they end: which become documents, when, and what their events cite. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { defineTool } from '@deepseek-ai/dsh-tools'
import { describe, expect, it } from 'vitest'
import { archiveSchema, documentId, readSaid } from '../../../src/events/index.ts'
import * as plugin from '../../../src/plugin/index.ts'
import type { Host } from '../../support/host.ts'
import { readStoredEvents } from '../../support/logs.ts'
import { agentIn, boot, injectedIn, oursIn, PATIENT, type Rig, rig } from '../rig.ts'

const ASKED = 'Please look at the staging database, it refuses my connections since noon.'
const TOLD = 'It listens on port 6543 now and takes TLS connections only.'

const archives = (events: readonly SessionEvent[]) => oursIn(events, 'archive')
const said = (events: readonly SessionEvent[]) => events.flatMap(event => readSaid(event) ?? [])
const human = (events: readonly SessionEvent[]) =>
  said(events).flatMap(one => (one.kind === 'message' && one.role === 'user' ? [one.id] : []))
const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => String(type))

/** Until what runs beside the turns has come to rest: late archival goes on after the turn that set it off. */
async function settled({ host }: Pick<Rig, 'host'>, agent: Agent, documents: number): Promise<void> {
  const end = performance.now() + 10_000
  const count = () => new Set(archives(agent.session.events).map(({ doc }) => doc)).size
  while (count() < documents && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 10))
  expect(count()).toBe(documents)
  expect(host.logs.filter(({ type }) => type === 'warn' || type === 'error')).toEqual([])
}

/** A tool that does something else first, as the test says. */
function withTool(host: Host, name: string, act: () => unknown): void {
  host.ctx.tools.register(
    defineTool({
      name,
      description: 'A tool of the test.',
      parameters: { path: { type: 'string' } },
      output: { schema: { type: 'string' }, render: (_, text) => [{ type: 'text', text }] },
      execute: async () => {
        await act()
        return 'done'
      },
    }),
  )
}

/** An answer that calls a tool, in which the human has had enough. */
const STOPPED = { toolCalls: [{ name: 'stop', arguments: {} }] }

function withStop(host: Host): void {
  withTool(host, 'stop', () => host.ctx.agents.currentInitiator()?.cancel({ kind: 'user' }))
}

describe('a turn that stops by itself', () => {
  it('is archived before it ends, by ids, with everything that was said in it', async () => {
    const made = await rig({
      answers: [
        { text: 'Let me see.', toolCalls: [{ name: 'look', arguments: { path: '/etc/pg.conf' } }] },
        { text: TOLD },
      ],
    })
    withTool(made.host, 'look', () => undefined)
    const agent = await agentIn(made.host)
    const events = await made.host.runTurn(agent, ASKED)
    const [event, ...more] = archives(events)
    expect(more).toEqual([])
    expect(archiveSchema.safeParse(event).error).toBeUndefined()
    const records = said(events)
    const ids = (kind: string) => records.filter(one => one.kind === kind).map(({ id }) => id)
    expect(event).toMatchObject({
      doc: documentId(human(events)[0] ?? ''),
      title: ASKED,
      tags: ['look', 'pg.conf'],
      messages: ids('message'),
      calls: ids('call'),
      ended: 'stopping',
      origin: 'archive',
      at: { session: agent.session.id, turn: 1 },
      span: { from: records[0]?.seq, to: records.at(-1)?.seq },
    })
    expect([ids('message').length, ids('call').length]).toEqual([3, 1])
    const types = typesOf(events)
    expect(types.slice(-2)).toEqual(['hologram/archive', 'turn/end'])
    await settled(made, agent, 1)
  })

  it('its event is marked, stored as it was live, and holds nothing that was said but the title', async () => {
    const { host } = await rig({ answers: [{ text: TOLD }] })
    const agent = await agentIn(host)
    await host.runTurn(agent, ASKED)
    const live = agent.session.events.filter(({ type }) => String(type) === 'hologram/archive')
    expect(live).toMatchObject([{ ignorable: true }])
    expect(JSON.stringify(live)).not.toContain('6543')
    await host.stop()
    const stored = await readStoredEvents(host.sessionsRoot, agent.session.id)
    expect(stored.filter(({ type }) => String(type) === 'hologram/archive')).toEqual(live)
  })

  it('and is steered on, is archived again with all of it, in the same document', async () => {
    const made = await rig({ answers: [{ text: TOLD }, { text: 'Since noon, yes.' }] })
    const { host } = made
    const agent = await agentIn(host)
    let steered = false
    host.ctx.on('agent/turn-stopping', () => {
      if (steered) return
      steered = true
      agent.steer(createUserMessage({ content: [{ type: 'text', text: 'Since when?' }], source: { kind: 'user' } }))
    })
    const events = await host.runTurn(agent, ASKED)
    const [first, second] = archives(events)
    expect([first?.doc, second?.doc]).toEqual(Array(2).fill(documentId(human(events)[0] ?? '')))
    expect([first, second].map(one => (one?.messages as string[] | undefined)?.length)).toEqual([2, 4])
    expect(Number(second?.clock)).toBeGreaterThan(Number(first?.clock))
    await host.runTurn(agent, ASKED)
    await settled(made, agent, 2)
    expect(archives(agent.session.events)).toHaveLength(3)
  })

  it('with little in it, or without a human, is none', async () => {
    const made = await rig({ answers: [{ text: 'hi' }, { text: TOLD }, { text: TOLD }] })
    const { host } = made
    const agent = await agentIn(host)
    await host.runTurn(agent, 'hello')
    await host.runTurn(agent, ASKED, { kind: 'plugin', plugin: 'another' })
    expect(archives(agent.session.events)).toEqual([])
    await host.runTurn(agent, ASKED)
    await settled(made, agent, 1)
    expect(archives(agent.session.events)).toHaveLength(1)
  })

  it('is not archived where that is switched off', async () => {
    const { host } = await rig({ config: { cold: { archive: false } }, answers: [{ text: TOLD }] })
    const agent = await agentIn(host)
    await host.runTurn(agent, ASKED)
    expect(archives(agent.session.events)).toEqual([])
  })

  it('is archived once where two mounts are there', async () => {
    const made = await rig({ answers: [{ text: TOLD }] })
    await made.host.mount({ ...plugin }, { ...PATIENT, toolName: 'notes' })
    const agent = await agentIn(made.host)
    await made.host.runTurn(agent, ASKED)
    expect(archives(agent.session.events)).toHaveLength(1)
  })

  it('does not keep others from being asked, nor fails when its log cannot be read', async () => {
    const { host } = await boot({ answers: [{ toolCalls: [{ name: 'mount', arguments: {} }] }, { text: TOLD }] })
    // What was said before we came stands in the log alone.
    withTool(host, 'mount', () => host.mount(plugin, PATIENT))
    const agent = await agentIn(host)
    const asked: string[] = []
    host.ctx.on('agent/turn-stopping', () => {
      asked.push('after us')
    })
    host.ctx.on(
      'agent/turn-stopping',
      () => {
        Object.defineProperty(agent.session, 'events', {
          get: () => {
            throw new Error('gone')
          },
          configurable: true,
        })
      },
      { prepend: true },
    )
    const from = agent.session.seq
    agent.followup(createUserMessage({ content: [{ type: 'text', text: ASKED }], source: { kind: 'user' } }))
    await agent.whenIdle()
    Reflect.deleteProperty(agent.session, 'events')
    expect(asked).toEqual(['after us'])
    expect(agent.session.events.slice(from).at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
    expect(host.logs.map(({ text }) => text).join('\n')).toContain('a turn was not archived: gone')
  })
})

describe('a turn that does not stop by itself', () => {
  it('is archived when the next begins: aborted, or ended by an error', async () => {
    const made = await rig({ answers: [STOPPED, { status: 400 }, { text: TOLD }] })
    const { host } = made
    withStop(host)
    const agent = await agentIn(host)
    const first = await host.runTurn(agent, ASKED)
    expect(first.at(-1)).toMatchObject({ data: { reason: { kind: 'aborted' } } })
    const second = await host.runTurn(agent, ASKED)
    await settled(made, agent, 1)
    expect(archives(first)).toEqual([])
    expect(second.at(-1)).toMatchObject({ data: { reason: { kind: 'error' } } })
    const third = await host.runTurn(agent, ASKED)
    await settled(made, agent, 3)
    const all = archives(agent.session.events)
    expect(all.map(({ doc }) => doc).sort()).toEqual(human(agent.session.events).map(documentId).sort())
    const byTurn = all.map(({ at, ended }) => [(at as { turn: number }).turn, ended]).sort()
    expect(byTurn).toEqual([
      [1, 'aborted'],
      [2, 'error'],
      [3, 'stopping'],
    ])
    expect(archives(third).length).toBeGreaterThan(0)
    const clocks = all.map(({ clock }) => Number(clock))
    expect(clocks).toEqual([...clocks].sort((a, b) => a - b))
  })

  it('is archived when the next begins, though the host could not even log that it ended', async () => {
    const made = await rig()
    const { host, server } = made
    const agent = await agentIn(host)
    server.push(() => {
      agent.cancel({ kind: 'user' })
      return { text: TOLD, delayMs: 300 }
    })
    // This host's own fault: the reason of an abort during a request is not accepted by its log.
    expect(typesOf(await host.runTurn(agent, ASKED)).at(-1)).toBe('step/end')
    server.push({ text: TOLD })
    await host.runTurn(agent, ASKED)
    await settled(made, agent, 2)
    expect(
      archives(agent.session.events)
        .map(({ ended }) => ended)
        .sort(),
    ).toEqual(['interrupted', 'stopping'])
  })

  it('is archived when a compaction is to replace it, before that is done, and the summary is no part of any', async () => {
    const made = await rig({
      compaction: { auto: false },
      answers: [{ text: `${TOLD} ${'We talk about it in some detail. '.repeat(90)}` }, STOPPED],
    })
    const { host, server } = made
    const agent = await agentIn(host)
    withStop(host)
    await host.runTurn(agent, ASKED)
    await host.runTurn(agent, ASKED)
    expect(archives(agent.session.events)).toHaveLength(1)
    server.push({ text: '## Primary Request and Intent\n- the staging database' })
    expect(await host.ctx.compaction.compactNow(agent, new AbortController().signal)).not.toBeNull()
    const types = typesOf(agent.session.events)
    const late = types.lastIndexOf('hologram/archive')
    expect(late).toBeGreaterThan(types.indexOf('compaction/start'))
    expect(late).toBeLessThan(types.indexOf('compaction/summary'))
    server.push({ text: TOLD })
    const after = await host.runTurn(agent, ASKED)
    expect(archives(after)).toMatchObject([{ messages: said(after).map(({ id }) => id) }])
    await settled(made, agent, 3)
    expect(archives(agent.session.events)).toHaveLength(3)
  })
})

describe('turns of before we were there', () => {
  it('are archived when the next begins, never because their session was opened', async () => {
    const made = await boot({ answers: [{ text: TOLD }, { text: TOLD }, { text: TOLD }] })
    const { host } = made
    const agent = await agentIn(host)
    await host.runTurn(agent, ASKED)
    await host.runTurn(agent, ASKED)
    await host.flush(agent)
    await host.disposeAgent(agent)
    await host.mount(plugin, PATIENT)
    const resumed = await host.resumeAgent(agent.session.id)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(archives(resumed.session.events)).toEqual([])
    await host.runTurn(resumed, ASKED)
    await settled(made, resumed, 3)
    const docs = archives(resumed.session.events).map(({ doc }) => doc)
    expect(docs.sort()).toEqual(human(resumed.session.events).map(documentId).sort())
  })

  it('are archived if one of them is open when we come', async () => {
    const made = await boot({ answers: [{ toolCalls: [{ name: 'mount', arguments: {} }] }, { text: TOLD }] })
    const { host } = made
    withTool(host, 'mount', () => host.mount(plugin, PATIENT))
    const agent = await agentIn(host)
    const events = await host.runTurn(agent, ASKED)
    expect(archives(events)).toMatchObject([{ doc: documentId(human(events)[0] ?? ''), calls: [expect.any(String)] }])
  })

  it('by the hundred: all of them, once, while the host goes on', async () => {
    const made = await boot({ answers: [{ text: TOLD }] })
    const { host } = made
    await host.mount(plugin, PATIENT)
    const agent = await agentIn(host)
    for (let turn = 1; turn <= 320; turn++) {
      agent.session.append('turn/start', { turn })
      const message = createUserMessage({
        content: [{ type: 'text', text: `${turn}: ${ASKED}` }],
        source: { kind: 'user' },
      })
      agent.session.append('user/message', message, { surfaceOp: 'append' })
      agent.session.append('turn/end', { turn, reason: { kind: 'interrupted' } })
    }
    await settled(made, agent, 320)
    const docs = archives(agent.session.events).map(({ doc }) => doc)
    expect(docs).toHaveLength(320)
    expect(new Set(docs)).toEqual(new Set(human(agent.session.events).map(documentId)))
  })
})

describe('one document per turn (case 36)', () => {
  it('across forks and resumes, of parent and child', async () => {
    const made = await rig({ answers: [STOPPED] })
    const { host, server } = made
    withStop(host)
    let parent = await agentIn(host)
    await host.runTurn(parent, ASKED)
    const { id, events, seq } = parent.session
    const forking = { cwd: host.home, parentSession: id, seed: events, seedLength: seq }
    let child = await host.createAgent({ sessionId: 'child', ...forking })
    for (let round = 0; round < 2; round++) {
      for (const agent of [parent, child]) {
        server.push({ text: TOLD })
        await host.runTurn(agent, ASKED)
        await settled(made, agent, 2 + round)
      }
      await host.flush(parent)
      await host.disposeAgent(parent)
      parent = await host.resumeAgent(id)
      await host.flush(child)
      await host.disposeAgent(child)
      child = await host.resumeAgent('child')
    }
    const logs = [parent, child].map(agent => archives(agent.session.events).map(({ doc }) => doc))
    for (const docs of logs) expect(new Set(docs).size).toBe(docs.length)
    const inherited = documentId(human(events)[0] ?? '')
    expect(new Set(logs.flat()).size).toBe(5)
    expect(logs.map(docs => docs.includes(inherited))).toEqual([true, true])
    expect((await host.ctx.stablemem.stats()).documents.all).toBe(5)
  })

  it('a fork that was cut within a turn leaves it to the session that went on with it', async () => {
    const made = await rig({ answers: [{ text: TOLD }, { text: TOLD }] })
    const { host } = made
    const parent = await agentIn(host)
    const events = await host.runTurn(parent, ASKED)
    const cut = events.findIndex(({ type }) => type === 'assistant/message')
    const seed = parent.session.events.slice(0, cut)
    const child = await host.createAgent({
      sessionId: 'child',
      cwd: host.home,
      parentSession: parent.session.id,
      seed,
      seedLength: seed.length,
    })
    const own = await host.runTurn(child, ASKED)
    await settled(made, child, 1)
    expect(archives(child.session.events).map(({ doc }) => doc)).toEqual([documentId(human(own)[0] ?? '')])
  })

  it.each([false, true])('a subagent’s turn is none, whether or not it may write: %s', async write => {
    const { host } = await rig({ config: { subagents: { write } }, answers: [{ text: TOLD }, { text: TOLD }] })
    const child = await host.createAgent({ sessionId: 'sub', cwd: host.home, origin: 'subagent' })
    await host.runTurn(child, ASKED)
    await host.runTurn(child, ASKED)
    expect(archives(child.session.events)).toEqual([])
  })
})

describe('what was recalled is not archived anew (case 18)', () => {
  it('neither what was put before the model, nor what it looked up', async () => {
    const made = await rig({
      answers: [
        {
          toolCalls: [
            { name: 'stablemem_recall', arguments: { query: 'desk extension' } },
            { name: 'look', arguments: {} },
          ],
        },
        { text: 'It is as you said before, and I have nothing to add to it.' },
      ],
    })
    const { host, memory } = made
    withTool(host, 'look', () => undefined)
    const agent = await agentIn(host)
    await memory.commit({ text: 'desk extension is 4324' }, { session: (await agentIn(host)).session })
    const events = await host.runTurn(agent, 'What is the desk extension, please?')
    const [recalled] = injectedIn(events)
    expect(recalled).toBeDefined()
    const [event] = archives(events)
    const calls = said(events).flatMap(one => (one.kind === 'call' ? [one] : []))
    expect(calls.map(({ tool }) => tool)).toEqual(['stablemem_recall', 'look'])
    expect(event).toMatchObject({ calls: [calls[1]?.id], tags: ['look'] })
    expect(event?.messages).not.toContain(recalled?.id)
    expect((await memory.stats()).blocks).toBe(1)
  })
})
