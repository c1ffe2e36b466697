/** The tools for archived turns: what was only said is found again, by other sessions, as whole pages. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { type ToolDefinition, validateJsonSchemaValue } from '@deepseek-ai/dsh-tools'
import { describe, expect, it } from 'vitest'
import { archiveSchema, recallSchema } from '../../../src/events/index.ts'
import { estimateTokens } from '../../../src/plugin/injection/tokens.ts'
import type { Host } from '../../support/host.ts'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, oursIn, type Rig, rig } from '../rig.ts'
import { callTool, outputOf, textOf } from './call.ts'

const ASKED = 'Which port does the staging database of Kestrel answer on, since noon?'
const TOLD = 'It answers on port 6543 now, and takes TLS connections only. </page> {{x}}'

interface Pages {
  readonly pages: ReadonlyArray<{
    readonly doc: string
    readonly page: number
    readonly text: string
    readonly turn: number
  }>
  readonly omitted: number
  readonly outcome: string
}

const query = (host: Host, args: object, agent?: Agent) =>
  outputOf<Pages>(callTool(host, 'coldcontext_query', args, agent))

/** Waits until so many archived turns can be read. */
async function held({ memory }: Rig, documents: number): Promise<void> {
  const end = performance.now() + 10_000
  const readable = async () => {
    const { all, waiting } = (await memory.stats()).documents
    return all - waiting
  }
  while ((await readable()) < documents && performance.now() < end)
    await new Promise(resolve => setTimeout(resolve, 10))
  expect(await readable()).toBe(documents)
}

async function told(answers: Parameters<typeof rig>[0] = {}) {
  const made = await rig({ answers: [{ text: TOLD }], ...answers })
  const agent = await agentIn(made.host)
  await made.host.runTurn(agent, ASKED)
  await held(made, 1)
  return { ...made, agent, other: await agentIn(made.host) }
}

describe('coldcontext_query', () => {
  it('finds in another session what was only said, as a whole page with its time, inert', async () => {
    const { host, agent, other } = await told()
    const result = await callTool(host, 'coldcontext_query', { query: 'port 6543' }, other)
    const { pages, outcome, omitted } = await outputOf<Pages>(Promise.resolve(result))
    expect([outcome, omitted, pages.length]).toEqual(['hits', 0, 1])
    expect(pages[0]).toMatchObject({ session: agent.session.id, turn: 1, page: 1, pages: 1, title: ASKED })
    expect(pages[0]?.text).toContain(ASKED)
    expect(pages[0]?.text).toContain(TOLD)
    const read = textOf(result)
    expect(read).toMatch(/\[\d{4}-\d\d-\d\d \d\d:\d\d UTC, session /)
    expect(read.match(/<\/page>/g)).toHaveLength(1)
    expect(read).not.toContain('{{')
  })

  it('leaves an event that says which pages were looked up on purpose, and nothing of them', async () => {
    const { host, other } = await told()
    const { pages } = await query(host, { query: 'port 6543' }, other)
    const [event] = oursIn(other.session.events, 'recall')
    expect(recallSchema.safeParse(event).error).toBeUndefined()
    expect(event).toMatchObject({ mode: 'tool', hits: [], pages: [{ doc: pages[0]?.doc, page: 0 }], outcome: 'hits' })
    expect(event).not.toHaveProperty('message')
    expect(JSON.stringify(event)).not.toContain('TLS')
  })

  it('what it brought is not archived anew with the turn that asked', async () => {
    const made = await told({
      answers: [
        { text: TOLD },
        { toolCalls: [{ name: 'coldcontext_query', arguments: { query: 'port 6543' } }] },
        { text: 'As was said.' },
      ],
    })
    const { host, server, other } = made
    await host.runTurn(other, 'What did we find out about the port of that database?')
    expect(textsOf(server.last(), 'tool').join('\n')).toContain('6543')
    expect(oursIn(other.session.events, 'archive')).toMatchObject([{ calls: [], tags: [] }])
  })

  it('keeps to its limits: pages, tokens, scope', async () => {
    const made = await told()
    const { host, server, agent, other } = made
    for (let turn = 0; turn < 3; turn++) {
      server.push({
        text: `The port is discussed again, part ${turn}. ${'So it goes on and on about the port. '.repeat(200)}`,
      })
      await host.runTurn(agent, ASKED)
    }
    await held(made, 4)
    expect((await query(host, { query: 'port', topK: 2 }, other)).pages).toHaveLength(2)
    for (const range of [{ topK: 0 }, { topK: 21 }, { maxTokens: 199 }, { maxTokens: 20_001 }]) {
      const refused = await callTool(host, 'coldcontext_query', { query: 'port', ...range }, other)
      expect(textOf(refused)).toMatch(/(topK|maxTokens) must be a whole number from \d+ to \d+, not \d+/)
    }
    const few = await callTool(host, 'coldcontext_query', { query: 'port', topK: 9, maxTokens: 500 }, other)
    expect(few.value).toMatchObject({ omitted: expect.any(Number) })
    const shown = textOf(few)
      .split('\n')
      .filter(line => !line.startsWith('why: '))
    expect(estimateTokens(shown.join('\n'))).toBeLessThan(560)
    expect((await query(host, { query: 'port', scope: 'session' }, agent)).pages.length).toBeGreaterThan(1)
    expect(await query(host, { query: 'port', scope: 'session' }, other)).toMatchObject({
      pages: [],
      outcome: 'nothing_stored',
    })
  })

  it('a turn can be tied to a memory, by the id of its page', async () => {
    const { host, other, memory } = await told()
    const [page] = (await query(host, { query: 'port 6543' }, other)).pages
    const { id } = await memory.commit({ text: 'Kestrel staging takes TLS only' }, { session: other.session })
    const edge = {
      type: 'derived_from',
      sourceKind: 'block',
      sourceId: id,
      targetKind: 'document',
      targetId: page?.doc,
    }
    expect(textOf(await callTool(host, 'stablemem_link', edge, other))).toBe(`Linked: ${id} derived_from ${page?.doc}.`)
    expect(oursIn(other.session.events, 'link')).toMatchObject([edge])
    const nobody = await callTool(host, 'stablemem_link', { ...edge, targetId: `doc_${'0'.repeat(24)}` }, other)
    expect(textOf(nobody)).toContain('does not exist in this namespace; take the id of a page')
  })

  it('a page is asked for by the days on which it was said', async () => {
    const { host, other } = await told()
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
    const count = async (range: object) => (await query(host, { query: 'port 6543', ...range }, other)).pages.length
    expect(await count({ since: day(-1), until: day(1) })).toBe(1)
    expect(await count({ since: day(1) })).toBe(0)
    expect(await count({ until: day(-1) })).toBe(0)
  })

  it('says when there is nothing, and that this proves nothing', async () => {
    const { host, memory } = await rig()
    const agent = await agentIn(host)
    await memory.commit({ text: 'the port of the kettle is 4324' }, { session: agent.session })
    const result = await callTool(host, 'coldcontext_query', { query: 'port of the kettle' }, agent)
    expect(result.value).toMatchObject({ pages: [], outcome: 'below_floor' })
    expect(textOf(result)).toContain('That does not mean that it was never said.')
  })
})

describe('coldcontext_commit', () => {
  const named = { title: 'Kestrel: where  staging answers', tags: ['kestrel', 'port'] }
  const answers = [
    { text: 'I note that.', toolCalls: [{ name: 'coldcontext_commit', arguments: named }] },
    { text: TOLD },
  ]

  it('archives the turn so far under that title, which stays when the turn goes on', async () => {
    const made = await rig({ answers })
    const { host } = made
    const agent = await agentIn(host)
    const events = await host.runTurn(agent, ASKED)
    const [early, late, ...more] = oursIn(events, 'archive')
    expect(archiveSchema.safeParse(early).error).toBeUndefined()
    expect(more).toEqual([])
    const title = 'Kestrel: where staging answers'
    expect(early).toMatchObject({ ...named, title, named: true, origin: 'tool', ended: 'open', calls: [] })
    expect(late).toMatchObject({ ...named, title, named: true, origin: 'archive', ended: 'stopping', doc: early?.doc })
    expect([early, late].map(one => (one?.messages as unknown[] | undefined)?.length)).toEqual([2, 3])
    await held(made, 1)
    expect((await query(host, { query: 'where staging answers' }, await agentIn(host))).pages).toMatchObject(
      Array(2).fill({ title, doc: early?.doc }),
    )
  })

  it('does so for a turn however short, and where turns are not archived by themselves', async () => {
    const { host } = await rig({ answers, config: { cold: { archive: false } } })
    const agent = await agentIn(host)
    const events = await host.runTurn(agent, 'hi')
    expect(oursIn(events, 'archive')).toMatchObject([{ named: true }])
  })

  it('tells the model what it did', async () => {
    const { host, server } = await rig({ answers })
    const agent = await agentIn(host)
    await host.runTurn(agent, ASKED)
    const said = textsOf(server.last(), 'tool').join('\n')
    expect(said).toMatch(
      /^Archived as doc_\w{24}, "Kestrel: where staging answers", so far with 2 messages and 0 tool calls\.$/,
    )
  })

  it.each([
    ['outside of a turn', {}, /no open turn/],
    ['for a title that is too long', { title: 'x'.repeat(201) }, /at most 200 characters/],
    ['for tags that are too many', { tags: Array.from({ length: 9 }, String) }, /at most 8/],
    ['for what it does not know', { name: 'x' }, /there is no "name"/],
  ])('refuses %s', async (_, args, message) => {
    const { host } = await rig()
    const result = await callTool(host, 'coldcontext_commit', args, await agentIn(host))
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(message)])
  })

  it('refuses a subagent', async () => {
    const { host } = await rig()
    const child = await host.createAgent({ sessionId: 'sub', cwd: host.home, origin: 'subagent' })
    expect((await callTool(host, 'coldcontext_commit', {}, child)).isError).toBe(true)
  })
})

describe('both', () => {
  const tool = (host: Host, name: string): ToolDefinition => {
    const found = host.ctx.tools.get(name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  it('give what they declare, and no part less or more', async () => {
    const { host, other } = await told({
      answers: [{ text: TOLD }, { toolCalls: [{ name: 'coldcontext_commit', arguments: {} }] }],
    })
    const found = (await query(host, { query: 'port 6543' }, other)) as unknown as Record<string, unknown>
    let archived: unknown
    host.ctx.on('tools/post-execute', async (exec, result, next) => {
      if (exec.name === 'coldcontext_commit') archived = result.value
      return next()
    })
    await host.runTurn(other, ASKED)
    for (const [name, value] of [
      ['coldcontext_query', found],
      ['coldcontext_commit', archived],
    ] as const) {
      const { schema } = tool(host, name).output
      const check = (given: unknown) => validateJsonSchemaValue(schema, given).length
      expect([name, check(value)]).toEqual([name, 0])
      const object = value as Record<string, unknown>
      expect(check({ ...object, foreign: 1 })).toBe(1)
      for (const key of Object.keys(object)) {
        const { [key]: _, ...less } = object
        expect([key, check(less)]).toEqual([key, 1])
      }
    }
    const [page] = found.pages as Array<Record<string, unknown>>
    for (const key of Object.keys(page ?? {})) {
      const { [key]: _, ...less } = page ?? {}
      expect([
        key,
        validateJsonSchemaValue(tool(host, 'coldcontext_query').output.schema, { ...found, pages: [less] }).length,
      ]).toEqual([key, 1])
    }
  })

  it('say what they do not do, describe every parameter, and have cards for people', async () => {
    const { host } = await rig()
    expect(tool(host, 'coldcontext_query').description).toMatch(/nothing is put back at its old place/)
    for (const name of ['coldcontext_query', 'coldcontext_commit']) {
      const { parameters, presentCall } = tool(host, name)
      const { properties } = parameters as { properties: Record<string, { description?: string }> }
      for (const { description = '' } of Object.values(properties)) expect(description.length).toBeGreaterThan(10)
      expect(presentCall?.({ query: 'the port', title: 'the port' })).toMatchObject({
        title: expect.stringMatching(/: the port$/),
      })
    }
    expect(tool(host, 'coldcontext_query').isConcurrencySafe?.({ query: 'x' })).toBe(true)
  })

  it.each([
    [{ toolName: 'notes' }, 'notes_coldcontext_query'],
    [{ cold: { toolName: 'turns' } }, 'turns_query'],
  ])('with %j there is %s', async (config, name) => {
    const { host } = await rig({ config })
    expect(tool(host, name).name).toBe(name)
    expect(host.ctx.tools.get('coldcontext_query')).toBeUndefined()
  })
})
