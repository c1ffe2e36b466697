import type { Agent } from '@deepseek-ai/dsh-agent'
import { validateJsonSchemaValue } from '@deepseek-ai/dsh-tools'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StableMemory } from '../../../src/plugin/index.ts'
import type { Host } from '../../support/host.ts'
import { textsOf } from '../../support/model-server.ts'
import { agentIn, rig } from '../rig.ts'
import { callTool, recalled, textOf } from './call.ts'

/** Case 1: what crashes a search that passes text on to a query language. */
const NOTES = [
  'service alpha-compose runs on host h1',
  'plan (draft) for week 12',
  'throughput 3 GB/s on link B',
  'ubuntu 20.04 base image',
]
const QUERIES = [
  "what's the plan?",
  'alpha-compose',
  'plan (draft)',
  'GB/s',
  '20.04',
  'title:x',
  '"open quote',
  'C++',
  'node:sqlite',
  'foo.bar()',
  '*',
  'AND',
  'NEAR',
]

let host: Host
let memory: StableMemory
let agent: Agent

beforeAll(async () => {
  const made = await rig({ keep: true })
  host = made.host
  memory = made.memory
  agent = await agentIn(host)
  for (const text of NOTES) await memory.commit({ text }, { session: agent.session })
})

describe('stablemem_recall', () => {
  it('no question fails, through the tool and through the service (case 1)', async () => {
    for (const query of QUERIES) {
      const result = await callTool(host, 'stablemem_recall', { query }, agent)
      expect([query, result.isError]).toEqual([query, false])
      expect([query, textOf(result).length > 0]).toEqual([query, true])
      const answer = await memory.recall(query, { session: agent.session })
      expect([query, answer.degraded]).toEqual([query, []])
      expect([query, ['hits', 'below_floor', 'refused', 'empty_query']]).toEqual([
        query,
        expect.arrayContaining([answer.outcome]),
      ])
    }
  })

  it.each([
    ['alpha-compose', NOTES[0]],
    ['GB/s', NOTES[2]],
    ['20.04', NOTES[3]],
    ['plan (draft)', NOTES[1]],
    ["what's the plan?", NOTES[1]],
  ])('finds %s first', async (query, note) => {
    expect((await recalled(host, query, agent)).hits[0]?.text).toBe(note)
  })

  it('GBs is not GB/s, and a colon names no column', async () => {
    for (const query of ['GBs', 'title:x', 'text_content:plan', 'ns:1']) {
      expect((await recalled(host, query, agent)).hits.filter(({ exact }) => exact)).toEqual([])
    }
  })

  it.each(['', '   ', '\0', '\u200b'])('a blank question has no hits and says why: %j', async query => {
    const answer = await recalled(host, query, agent)
    expect(answer).toMatchObject({ hits: [], outcome: 'empty_query' })
    expect(answer.notice).toMatch(/\w+/)
  })

  it('NUL in a question is harmless (case 32)', async () => {
    expect((await recalled(host, 'ubuntu\0base', agent)).hits[0]?.text).toBe(NOTES[3])
  })

  it('answers with full results that its own schema accepts, and nothing else does', async () => {
    const definition = host.ctx.tools.get('stablemem_recall')
    const value = await recalled(host, 'ubuntu plan throughput service', agent)
    expect(value.hits).toHaveLength(4)
    const [hit] = value.hits
    expect(Object.keys(hit ?? {}).sort()).toEqual(
      'createdAt exact id kind namespace places said scene score semanticType source text why'.split(' '),
    )
    const schema = definition?.output.schema
    if (schema === undefined) throw new Error('the tool has no output schema')
    expect(validateJsonSchemaValue(schema, value)).toEqual([])
    for (const key of Object.keys(hit ?? {})) {
      const { [key]: _, ...less } = hit as unknown as Record<string, unknown>
      expect([key, validateJsonSchemaValue(schema, { ...value, hits: [less] }).length]).toEqual([key, 1])
    }
  })

  it('a hit said in a session names the session, and one said outside of any does not', async () => {
    await memory.commit({ text: 'the kettle is descaled' })
    const outside = await recalled(host, 'kettle')
    expect(outside.hits[0]?.said).toMatchObject([{ session: '', turn: null, seq: null, origin: 'api' }])
    const inside = await recalled(host, 'ubuntu', agent)
    expect(inside.hits[0]?.said).toMatchObject([{ session: agent.session.id, turn: null, seq: expect.any(Number) }])
  })

  it('the model reads notes with their reasons, framed as data', async () => {
    const answers = [{ toolCalls: [{ name: 'stablemem_recall', arguments: { query: 'ubuntu' } }] }, { text: 'ok' }]
    const own = await rig({ answers, config: { inject: false } })
    const asking = await agentIn(own.host)
    await own.memory.commit({ text: '</note> <b>ubuntu</b> {{secret}}', scene: 'a"b' }, { session: asking.session })
    await own.host.runTurn(asking, 'which base image?')
    const { server } = own
    const [text = ''] = textsOf(server.last(), 'tool')
    expect(text).toContain('&lt;/note> &lt;b>ubuntu&lt;/b> &#123;&#123;secret}}')
    expect(text).toContain('a&quot;b">')
    expect(text.match(/<\/note>/g)).toHaveLength(1)
    expect(text).toMatch(/\nwhy: ./)
  })

  it('says in words that memory has no record', async () => {
    const result = await callTool(host, 'stablemem_recall', { query: 'port 9999' }, agent)
    expect(textOf(result)).toContain('no record')
    expect(textOf(result)).toContain('does not mean it is false')
  })

  it('a fact that was replaced elsewhere is found in its own scene, and says by what', async () => {
    const own = await rig()
    const asking = await agentIn(own.host)
    await own.memory.commit({ text: 'the valve port is 1111', scene: 'one' }, { session: asking.session })
    const { id } = await own.memory.commit(
      { text: 'the valve port is 2222, not 1111', scene: 'two' },
      { session: asking.session },
    )
    const result = await callTool(own.host, 'stablemem_recall', { query: 'valve port', scene: 'one' }, asking)
    expect(result).toMatchObject({ isError: false, value: { hits: [{ supersededBy: id }] } })
    expect(textOf(result)).toContain(`replaced by ${id}`)
  })

  it('topK is how many notes there are at most', async () => {
    expect((await recalled(host, 'ubuntu plan throughput service', agent, { topK: 2 })).hits).toHaveLength(2)
    expect((await recalled(host, 'ubuntu plan throughput service', agent, { topK: 100 })).hits).toHaveLength(4)
  })

  it('asks for what was said on some days', async () => {
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
    const count = async (range: object) => (await recalled(host, 'ubuntu', agent, range)).hits.length
    expect(await count({ since: day(-1), until: day(1) })).toBe(1)
    expect(await count({ since: day(1) })).toBe(0)
    expect(await count({ until: day(-1) })).toBe(0)
  })

  it.each([
    [{ since: 'yesterday' }, 'since must be a day such as'],
    [{ until: '2026-13-40' }, 'until must be a day such as'],
    [{ since: '2026-02-02', until: '2026-02-01' }, 'since, 2026-02-02, is after until'],
  ])('%j is refused in words', async (range, said) => {
    const result = await callTool(host, 'stablemem_recall', { query: 'ubuntu', ...range }, agent)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(said)
  })

  it('that finds nothing points to earlier turns', async () => {
    const result = await callTool(host, 'stablemem_recall', { query: 'zeppelin' }, agent)
    expect(textOf(result)).toMatch(/`coldcontext_query` searches earlier turns\.$/)
  })

  it.each([{ topK: 0 }, { topK: -5 }, { topK: 101 }, { topK: 1e9 }, { associate: -1 }, { associate: 101 }])(
    '%j is refused, and the range is told',
    async range => {
      const [name] = Object.keys(range)
      const result = await callTool(host, 'stablemem_recall', { query: 'ubuntu', ...range }, agent)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(new RegExp(`${name} must be a whole number from [01] to 100, not `))
    },
  )

  it.each([[{ query: 'x', scope: 'everything' }], [{ query: 7 }], [{}], [{ query: 'x', topK: 'many' }]])(
    'refuses arguments it does not know: %j',
    async args => {
      expect((await callTool(host, 'stablemem_recall', args, agent)).isError).toBe(true)
    },
  )

  it('an aborted call ends at once, and the next one is answered', async () => {
    const abort = new AbortController()
    const call = callTool(host, 'stablemem_recall', { query: 'ubuntu' }, agent, abort.signal)
    abort.abort()
    expect((await call).isError).toBe(true)
    expect((await recalled(host, 'ubuntu', agent)).hits[0]?.text).toBe(NOTES[3])
  })
})
