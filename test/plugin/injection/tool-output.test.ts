import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { defineTool } from '@deepseek-ai/dsh-tools'
import { describe, expect, it } from 'vitest'
import * as plugin from '../../../src/plugin/index.ts'
import { estimateTokens } from '../../../src/plugin/injection/tokens.ts'
import { textsOf } from '../../support/model-server.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, injectedIn, oursIn, PATIENT, type Rig, type RigOptions, recalledIn, rig } from '../rig.ts'

const NOTE = 'KST-4821 means that the certificate has run out'
const OUTPUT = '2026-11-30 21:15:00 ERROR svc-billing: KST-4821 handshake failed'
const ON = { injection: { ...PATIENT.injection, toolOutput: true } }

/** A host with a tool `shell` that returns what it is told to, and a memory that holds the note. */
async function withTool(
  options: RigOptions = {},
): Promise<Rig & { agent: Agent; call: (output: string, more?: object) => void }> {
  const made = await rig({ config: ON, ...options })
  const { host, server, memory } = made
  host.ctx.tools.register(
    defineTool({
      name: 'shell',
      description: 'Runs something.',
      parameters: { output: { type: 'string', required: true }, fails: { type: 'boolean' } },
      output: {
        schema: { type: 'string' },
        render: (_: unknown, value: string) => [{ type: 'text', text: value }],
      },
      execute: async (args: { output: string; fails?: boolean }) => {
        if (args.fails) throw new Error(args.output)
        return args.output
      },
    } as never),
  )
  await memory.commit({ text: NOTE }, { session: (await agentIn(host)).session })
  const call = (output: string, more: object = {}) =>
    server.push({ toolCalls: [{ name: 'shell', arguments: { output, ...more } }] })
  return { ...made, call, agent: await agentIn(host) }
}

const seen = ({ server }: Rig) => textsOf(server.last(), 'user').join('\n').split(NOTE).length - 1

describe('what a tool returned', () => {
  it('recalls nothing unless that is set', async () => {
    const made = await withTool({ config: {} })
    made.call(OUTPUT)
    const events = await made.host.runTurn(made.agent, 'go ahead')
    expect(made.server.requests).toHaveLength(2)
    expect([injectedIn(events), oursIn(events, 'recall')]).toEqual([[], []])
  })

  it.each([{}, { fails: true }])('recalls what its names are known for, after the result and once: %j', async more => {
    const made = await withTool()
    made.call(OUTPUT, more)
    made.call(OUTPUT, more)
    const events = await made.host.runTurn(made.agent, 'go ahead')
    expect(made.server.requests).toHaveLength(3)
    const roles = made.server.requests[1]?.messages.map(({ role }) => role)
    expect(roles?.slice(-2)).toEqual(['tool', 'user'])
    expect(recalledIn(made.server)).toHaveLength(1)
    expect(seen(made)).toBe(1)
    const [message] = injectedIn(events)
    expect(oursIn(events, 'recall')).toMatchObject([{ mode: 'inject', message: message?.id, hits: [{ exact: true }] }])
    expect(message?.source).toEqual({ kind: 'plugin', plugin: 'dsh-hologram', form: 'recall' })
    expect(events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
  })

  it('does not repeat what the question has brought, nor two results of one step each other', async () => {
    const made = await withTool()
    made.call(OUTPUT)
    await made.host.runTurn(made.agent, 'what does KST-4821 mean?')
    expect(seen(made)).toBe(1)
    const other = await agentIn(made.host)
    const calls = [1, 2, 3].map(n => ({ name: 'shell', arguments: { output: `${OUTPUT} (${n})` } }))
    made.server.push({ toolCalls: calls })
    await made.host.runTurn(other, 'go ahead')
    expect(seen(made)).toBe(1)
    expect(injectedIn(other.session.events)).toHaveLength(1)
  })

  it('what a human says in the same step is a question all the same, and not answered twice', async () => {
    const made = await withTool()
    await made.memory.commit(
      { text: 'the runbook lies in drawer 9071' },
      { session: (await agentIn(made.host)).session },
    )
    const words = `where is the runbook, and what is KST-4821?`
    made.server.push(() => {
      made.agent.steer(createUserMessage({ content: [{ type: 'text', text: words }], source: { kind: 'user' } }))
      return { toolCalls: [{ name: 'shell', arguments: { output: OUTPUT } }] }
    })
    await made.host.runTurn(made.agent, 'go ahead')
    expect(seen(made)).toBe(1)
    expect(recalledIn(made.server).join()).toContain('drawer 9071')
  })

  it('is within the budgets of the turn', async () => {
    const config = { injection: { ...ON.injection, turnTokens: 300, topK: 20 } }
    const made = await withTool({ config })
    const { session } = await agentIn(made.host)
    for (let n = 0; n < 12; n++)
      await made.memory.commit({ text: `ERR_${n}9 is ${'a long story '.repeat(20)}` }, { session })
    for (let n = 0; n < 8; n++) made.call(`ERROR ERR_${n}9 happened`)
    const events = await made.host.runTurn(made.agent, 'go ahead')
    const spent = injectedIn(events).reduce((sum, { text }) => sum + estimateTokens(text), 0)
    expect(spent).toBeGreaterThan(150)
    expect(spent).toBeLessThanOrEqual(300)
  })

  it('of our own is never a question', async () => {
    const made = await withTool()
    const second = 'KST-4821 was seen in the north hall'
    await made.memory.commit({ text: second }, { session: (await agentIn(made.host)).session })
    made.server.push({ toolCalls: [{ name: 'stablemem_recall', arguments: { query: 'KST-4821', topK: 1 } }] })
    const events = await made.host.runTurn(made.agent, 'look it up')
    expect(textsOf(made.server.last(), 'tool').join()).toContain('KST-4821')
    expect(injectedIn(events)).toEqual([])
  })

  it('is said once where two mounts listen', async () => {
    const made = await withTool()
    await made.host.mount({ ...plugin }, { ...ON, toolName: 'notes' })
    made.call(OUTPUT)
    await made.host.runTurn(made.agent, 'go ahead')
    expect(seen(made)).toBe(1)
  })

  it('of a subagent recalls nothing', async () => {
    const made = await withTool()
    const child = await made.host.createAgent({ sessionId: 'child', cwd: made.host.home, origin: 'subagent' })
    made.call(OUTPUT)
    expect(injectedIn(await made.host.runTurn(child, 'go ahead'))).toEqual([])
  })

  it.each(['only words in it, nothing else', '', '17 of 20 at 2026-11-30 21:15:00'])(
    'without a name in it is no question: %j',
    async output => {
      const made = await withTool()
      const { recall } = modelOf(made)
      let asked = 0
      modelOf(made).recall = (...given) => {
        asked += 1
        return recall.apply(modelOf(made), given)
      }
      made.call(output)
      await made.host.runTurn(made.agent, 'go ahead')
      // The human's own words were one.
      expect(asked).toBe(1)
    },
  )

  it('is not said where another listener blocked it, and what others add stays', async () => {
    const made = await withTool()
    const off = made.host.ctx.on('tools/post-execute', async () => ({
      kind: 'block',
      feedback: [{ type: 'text', text: 'no' }],
    }))
    made.call(OUTPUT)
    expect(injectedIn(await made.host.runTurn(made.agent, 'go ahead'))).toEqual([])
    off()
    const added = createUserMessage({
      content: [{ type: 'text', text: 'added' }],
      source: { kind: 'plugin', plugin: 'x', form: 'y' } as never,
    })
    made.host.ctx.on('tools/post-execute', async () => ({ kind: 'accept', additionalContexts: [added] }))
    made.call(OUTPUT)
    await made.host.runTurn(made.agent, 'go ahead')
    expect(textsOf(made.server.last(), 'user')).toContain('added')
    expect(seen(made)).toBe(1)
  })
})

describe('a memory that fails a tool', () => {
  const FAULTS: ReadonlyArray<[string, () => Promise<never>]> = [
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['answers nothing', () => Promise.resolve(undefined as never)],
    ['never answers', () => new Promise(() => undefined)],
  ]

  it.each(FAULTS)('costs it nothing but the deadline, once: it %s', async (_, fault) => {
    const made = await withTool({ config: { injection: { ...ON.injection, deadlineMs: 300 } } })
    // The human's own question is not what is tried here.
    let own = true
    const model = modelOf(made)
    model.recall = () => {
      if (own) {
        own = false
        return Promise.reject(new Error('later'))
      }
      return fault()
    }
    for (let n = 0; n < 6; n++) made.call(OUTPUT)
    const started = performance.now()
    const events = await made.host.runTurn(made.agent, 'go ahead')
    expect(performance.now() - started).toBeLessThan(300 * 4)
    expect(textsOf(made.server.last(), 'tool')).toEqual(Array(6).fill(OUTPUT))
    expect(events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
    expect(injectedIn(events)).toEqual([])
  })
})
