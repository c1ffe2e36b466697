/** Turns that have cooled become memories: while nobody works, each once, with nothing that was not said. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describe, expect, it } from 'vitest'
import type { Ask } from '../../../src/commands/distill/index.ts'
import { blockId } from '../../../src/events/index.ts'
import { askModel } from '../../../src/plugin/cold/ask-model.ts'
import { Cooler } from '../../../src/plugin/cold/cooler.ts'
import { followAgents, type Quiet } from '../../../src/plugin/cold/quiet.ts'
import { Config } from '../../../src/plugin/config.ts'
import { registerProjections } from '../../../src/plugin/host/projections.ts'
import { Namespaces } from '../../../src/plugin/namespace.ts'
import { Recorder } from '../../../src/plugin/recorder.ts'
import { SessionWriter } from '../../../src/plugin/writer.ts'
import type { WorkerReadModel } from '../../../src/readmodels/index.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, type Rig, rig } from '../rig.ts'
import { callTool, outputOf } from '../tools/call.ts'

const HOUR = 3_600_000
const STATED = 'The port of the staging database is 6543.'
const FACT = 'staging database|port=6543'
const IDLE: Quiet = { since: () => 1e9, untilBusy: () => new AbortController().signal }
const NEVER = new AbortController().signal

interface Over {
  readonly hours?: number
  readonly quiet?: Quiet
  readonly distill?: string
  readonly ask?: Ask
  readonly everyMs?: number
  readonly quietMs?: number
}

interface Made extends Rig {
  readonly agent: Agent
  readonly model: WorkerReadModel
  /** A cooler on the memory of the rig, as if so many hours had passed. */
  cooler(over?: Over): Cooler
  facts(query?: string): Promise<string[]>
}

async function made(options: Parameters<typeof rig>[0] = {}): Promise<Made> {
  const rigged = await rig(options)
  const { host, memory } = rigged
  const agent = await agentIn(host)
  const model = modelOf(rigged)
  const recorder = new Recorder(host.ctx, {
    model,
    writer: new SessionWriter(host.ctx, undefined),
    namespaces: new Namespaces('project', async () => undefined),
    projections: registerProjections(host.ctx, () => undefined),
    placeOf: () => ({}),
  })
  return {
    ...rigged,
    agent,
    model,
    cooler({ hours = 0, quiet = IDLE, distill = 'rules', ask, ...timing } = {}) {
      const config = new Config({ cold: { cooling: { distill: distill as 'rules' } } } as Config)
      const cooler = new Cooler(host.ctx, {
        model,
        recorder,
        config,
        quiet,
        now: () => Date.now() + hours * HOUR,
        ...timing,
      })
      cooler.useModel(ask)
      return cooler
    },
    facts: async (query = 'staging database port') =>
      (await memory.recall(query, { session: agent.session })).hits.map(({ text }) => text),
  }
}

/** A turn, until what it said can be read. */
async function turn({ host, memory, server }: Rig, agent: Agent, text: string): Promise<void> {
  const before = (await memory.stats()).documents.all
  server.push({ text: 'I see, and I shall keep to that.' })
  await host.runTurn(agent, text)
  const end = performance.now() + 10_000
  const held = async () => {
    const { all, waiting } = (await memory.stats()).documents
    return all - waiting
  }
  while ((await held()) <= before && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 10))
  expect(await held()).toBe(before + 1)
}

/** Makes everything that is archived due, whatever its age: how age is told is the read model's. */
function allDue({ model, memory }: Made): void {
  const { document } = model
  model.due = async () => {
    const docs = await docsOf(memory)
    const answers = await Promise.all(docs.map(doc => document.call(model, { doc })))
    return answers.filter(answer => answer !== null && !answer.distilled).slice(0, 5) as never
  }
}

async function docsOf(memory: Rig['memory']): Promise<string[]> {
  const { pages } = await memory.recall('database port kettle', { scope: 'all', pages: 50 })
  return [...new Set(pages.map(({ doc }) => doc))]
}

describe('a turn that has cooled', () => {
  it('becomes memories, which say when it was, where it was, and what they come from', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    allDue(all)
    expect(await all.cooler().cool(NEVER)).toBe(1)
    expect(await all.facts()).toEqual([FACT])
    const { hits } = await all.memory.recall('staging port', { session: all.agent.session })
    const [doc = ''] = await docsOf(all.memory)
    const document = await all.model.document({ doc })
    expect(document).toMatchObject({ distilled: true })
    expect(hits[0]?.said).toMatchObject([
      { session: all.agent.session.id, turn: 1, origin: 'distill', time: document?.pages[0]?.parts[0]?.time },
    ])
    const { entries } = await all.memory.history(blockId(FACT), { session: all.agent.session })
    expect(entries.map(({ verb }) => verb).sort()).toEqual(['commit', 'distill'])
  })

  it('is distilled once, also by somebody else’s work, and one without facts too', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    await turn(all, all.agent, 'What do you think about the colour of that old kettle in the kitchen?')
    allDue(all)
    const [one, other] = [all.cooler(), all.cooler()]
    const both = await Promise.all([one.cool(NEVER), other.cool(NEVER)])
    expect(both).toEqual([2, 0])
    expect([await one.cool(NEVER), await other.cool(NEVER)]).toEqual([0, 0])
    expect(await all.memory.stats()).toMatchObject({ blocks: 1, documents: { all: 2, distilled: 2 } })
  })

  it('does not override what was said since', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    await all.memory.commit({ text: 'staging database|port=7000' }, { session: all.agent.session })
    allDue(all)
    await all.cooler().cool(NEVER)
    expect((await all.memory.stats()).blocks).toBe(2)
    expect(await all.facts()).toEqual(['staging database|port=7000'])
  })

  it('does not bring back what was purged, nor say again what is known', async () => {
    const all = await made()
    await turn(all, all.agent, `${STATED} The port of the staging cache is 6379.`)
    await all.memory.commit({ text: FACT }, { session: all.agent.session })
    await all.memory.purge({ ids: [blockId(FACT)] }, { session: all.agent.session })
    await all.memory.commit({ text: 'staging cache|port=6379' }, { session: all.agent.session })
    const { blocks, events } = await all.memory.stats()
    allDue(all)
    expect(await all.cooler().cool(NEVER)).toBe(1)
    expect(await all.memory.stats()).toMatchObject({ blocks, events: events + 1 })
    expect(await all.facts()).toEqual(['staging cache|port=6379'])
  })

  it('goes on where it was left after a crash between its memories and its event', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    allDue(all)
    const { fold } = all.model
    all.model.fold = (events, options) =>
      events.some(({ type }) => type === 'hologram/distill')
        ? Promise.reject(new Error('gone'))
        : fold.call(all.model, events, options)
    expect(await all.cooler().cool(NEVER)).toBe(0)
    all.model.fold = fold
    expect(await all.cooler().cool(NEVER)).toBe(1)
    const { hits } = await all.memory.recall('staging port', { session: all.agent.session })
    expect(hits).toMatchObject([{ text: FACT, places: 1 }])
  })
})

describe('when', () => {
  it('a wall clock that jumps a year ahead cools nothing, one that goes back neither', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    for (const hours of [365 * 24, -365 * 24]) expect(await all.cooler({ hours }).cool(NEVER)).toBe(0)
    expect((await all.memory.stats()).documents.distilled).toBe(0)
  })

  it('what was asked for on purpose more than twice is not due', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    await turn(all, all.agent, 'The port of the staging cache is 6379, and that is all.')
    const asked: object[] = []
    const { due } = all.model
    all.model.due = (request, options) => {
      asked.push(request)
      // As if the age were reached: the accesses are the read model's own.
      return due.call(all.model, { ...request, age: 0 }, options)
    }
    for (let n = 0; n < 3; n++)
      await outputOf(callTool(all.host, 'coldcontext_query', { query: '6543', topK: 1 }, all.agent))
    await all.memory.stats()
    expect(await all.cooler().cool(NEVER)).toBe(1)
    expect(asked).toMatchObject([{ accesses: 2, age: 72 * HOUR, limit: 5 }])
    expect((await all.facts()).join()).not.toContain('6543')
    expect((await all.facts('staging cache')).join()).toContain('6379')
  })

  it('nothing is done where it is off, nor while an agent works; a turn that begins ends it', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    await turn(all, all.agent, 'The port of the staging cache is 6379, and that is all.')
    allDue(all)
    expect(await all.cooler({ distill: 'off' }).cool(NEVER)).toBe(0)
    const busy = { ...IDLE, untilBusy: () => AbortSignal.abort() }
    expect(await all.cooler({ quiet: busy }).cool(NEVER)).toBe(0)
    const work = new AbortController()
    const { document } = all.model
    let asked = 0
    all.model.document = (request, options) => {
      asked += 1
      if (asked === 2) work.abort()
      return document.call(all.model, request, options)
    }
    all.model.due = async () => {
      const docs = await docsOf(all.memory)
      return (await Promise.all(docs.map(doc => document.call(all.model, { doc })))) as never
    }
    expect(await all.cooler({ quiet: { ...IDLE, untilBusy: () => work.signal } }).cool(NEVER)).toBe(1)
    expect((await all.memory.stats()).documents).toMatchObject({ all: 2, distilled: 1 })
    expect(all.host.logs.filter(({ type }) => type === 'warn')).toEqual([])
  })

  it('agents are followed: a turn makes them busy, its end quiet again', async () => {
    const { host, agent, server } = await made()
    const quiet = followAgents(host.ctx)
    const signal = quiet.untilBusy()
    expect(signal.aborted).toBe(false)
    let during: readonly unknown[] = []
    server.push(() => {
      during = [quiet.since(), quiet.untilBusy().aborted]
      return { text: 'yes' }
    })
    server.push({ text: 'yes' })
    await host.runTurn(agent, 'hello')
    await host.runTurn(agent, 'hello')
    expect([signal.aborted, ...during]).toEqual([true, 0, true])
    await new Promise(resolve => setTimeout(resolve, 30))
    expect(quiet.since()).toBeGreaterThan(20)
    expect(quiet.untilBusy().aborted).toBe(false)
  })

  it('it runs again and again while it has been quiet for long enough, until it is unloaded', async () => {
    const all = await made()
    let since = 0
    let asked = 0
    all.model.due = async () => {
      asked += 1
      return []
    }
    const unloaded = new AbortController()
    const quiet = { ...IDLE, since: () => since }
    const running = all.cooler({ quiet, everyMs: 5, quietMs: 50 }).run(unloaded.signal)
    const wait = () => new Promise(resolve => setTimeout(resolve, 60))
    await wait()
    expect(asked).toBe(0)
    since = 50
    await wait()
    expect(asked).toBeGreaterThan(1)
    unloaded.abort()
    await running
    const last = asked
    await wait()
    expect(asked).toBe(last)
  })

  it('a memory that does not answer is told once, and nothing is thrown', async () => {
    const all = await made()
    all.model.due = () => Promise.reject(new Error('the database is away'))
    expect(await all.cooler().cool(NEVER)).toBe(0)
    expect(all.host.logs.map(({ text }) => text).join('\n')).toContain('not distilled: the database is away')
  })
})

describe('with a model', () => {
  const proposing = (...facts: object[]) => JSON.stringify({ facts })
  const said = { subject: 'Ada', dim: 'editor', value: 'Helix', sentence: 'Ada uses Helix as her editor.' }

  it('what it finds is kept beside what rules find, and what it invents is not', async () => {
    const all = await made()
    await turn(all, all.agent, `${STATED} ${said.sentence}`)
    allDue(all)
    const ask: Ask = async () =>
      proposing(said, { ...said, value: 'Vim' }, { ...said, sentence: 'Ada owns a cat.', value: 'cat' })
    expect(await all.cooler({ distill: 'model', ask }).cool(NEVER)).toBe(1)
    expect(await all.facts()).toContain(FACT)
    expect((await all.facts('Helix')).join('\n')).toContain('Helix')
    expect((await all.facts('Ada Vim cat')).join('\n')).not.toMatch(/Vim|cat/)
  })

  it('waits for one where there is none, and has rules do after it failed three times', async () => {
    const all = await made()
    await turn(all, all.agent, STATED)
    allDue(all)
    expect(await all.cooler({ distill: 'model' }).cool(NEVER)).toBe(0)
    const cooler = all.cooler({ distill: 'model', ask: () => Promise.reject(new Error('no credit')) })
    const done = [
      await cooler.cool(NEVER),
      await cooler.cool(NEVER),
      await cooler.cool(NEVER),
      await cooler.cool(NEVER),
    ]
    expect(done).toEqual([0, 0, 0, 1])
    expect(await all.facts()).toEqual([FACT])
  })

  it('the host’s own is asked, by the route of the latest request or of the settings, outside of every session', async () => {
    const all = await made()
    const { host, server, agent } = all
    const ask = askModel(host.ctx, undefined)
    await expect(ask('what?', NEVER)).rejects.toThrow('no model was used')
    await turn(all, agent, STATED)
    const { seq } = agent.session
    server.push({ text: 'the answer' })
    expect(await ask('what?', NEVER)).toBe('the answer')
    expect(server.last().messages).toMatchObject([{ role: 'user', content: 'what?' }])
    expect(server.last().tools).toBeUndefined()
    expect(agent.session.seq).toBe(seq)
    server.push({ status: 400, text: 'no' })
    await expect(ask('what?', NEVER)).rejects.toThrow()
    await expect(askModel(host.ctx, { provider: 'nobody', model: 'x' })('what?', NEVER)).rejects.toThrow()
    await expect(ask('what?', AbortSignal.abort())).rejects.toThrow()
  })
})
