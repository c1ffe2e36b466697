import { describe, expect, it, test, vi } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import { tempDir } from '../support/temp.ts'
import { modelOf } from './law4/sabotage.ts'
import { agentIn, oursIn, type RigOptions, rig } from './rig.ts'

async function boot(options: RigOptions = {}) {
  const made = await rig({ commands: true, ...options })
  const agent = await agentIn(made.host)
  const run = async (line: string, signal = new AbortController().signal) => {
    const done = await made.host.ctx.commands.execute(agent, line, [], signal)
    return done?.result
  }
  return { ...made, agent, run }
}

const FACT = 'The gateway of 预发环境 listens on 8443'
const ID = blockId(FACT)

test('/memory adds, finds, explains and forgets', async () => {
  const { run } = await boot()
  const added = await run(`/memory add ${FACT}`)
  expect(added).toEqual({ kind: 'success', text: `Remembered: ${ID}` })
  expect((await run(`/memory add  ${FACT} `))?.text).toBe(`Memory held this already: ${ID}`)
  expect((await run('/memory search 8443'))?.text).toContain(FACT)
  expect((await run(`/memory history ${ID}`))?.text).toContain('said by command')
  const shown = (await run(`/memory show ${ID}`))?.text
  expect(shown).toMatch(new RegExp(`^${ID} {2}in .*\\n {2}${FACT}\\n {2}said .* by command`))
  expect((await run('/memory status'))?.text).toMatch(/^1 memories in 1 namespaces/)
  expect((await run('/memory why'))?.text).toContain('Nothing was recalled')
  expect((await run(`/memory forget ${ID}`))?.text).toMatch(`Forgotten: ${ID}. Sessions`)
  expect((await run('/memory search gateway'))?.text).not.toContain('8443')
})

test('Chinese goes in and is found, whatever white space and commas come with it', async () => {
  const { run } = await boot()
  const texts = ['预发环境的网关端口是 8443', '备份窗口是周五晚上']
  for (const text of texts) expect((await run(`/memory add　${text}`))?.text).toBe(`Remembered: ${blockId(text)}`)
  expect((await run('/memory search 网关端口'))?.text).toContain(texts[0])
  expect((await run('/memory search 備份'))?.text).toContain(texts[1])
  expect((await run(`/memory forget ${texts.map(blockId).join('，')}`))?.kind).toBe('success')
  expect((await run('/memory search 网关端口'))?.text).not.toContain('8443')
})

describe('/memory why', () => {
  const call = (query: string) => ({ toolCalls: [{ name: 'stablemem_recall', arguments: { query } }] })

  it('tells all of the last turn: what was put before the model and what it looked up, with text and reason', async () => {
    const { run, memory, host, agent, server } = await boot()
    const other = (await agentIn(host)).session
    await memory.commit({ text: FACT }, { session: other })
    await memory.commit({ text: 'the kettle is new' }, { session: other })
    server.push(call('kettle'), call('port 9999'), { text: 'done' })
    await host.runTurn(agent, 'where does the gateway listen?')
    const { text = '' } = (await run('/memory why')) ?? {}
    const times = text.match(/^\d{4}-.*:.*$/gm)?.map(line => line.slice('2026-11-30 21:15 UTC'.length))
    expect(times).toEqual([
      ', turn 1, put before the model:',
      ', turn 1, looked up by the model:',
      ', turn 1, looked up by the model: nothing (refused)',
    ])
    expect(text).toMatch(new RegExp(`${ID} {2}score \\d\\.\\d{3}\\n {2}${FACT}\\n {2}\\(.+\\)`))
    expect(text).toContain('\n  the kettle is new\n')

    await memory.purge({ ids: [ID] }, { session: other })
    expect((await run('/memory why'))?.text).toContain(`\n  forgotten since\n`)
    server.push(call('kettle'), { text: 'done' })
    await host.runTurn(agent, 'and the kettle?')
    const second = (await run('/memory why'))?.text ?? ''
    expect(second).toContain('turn 2')
    expect(second).not.toContain('turn 1')
  })
})

describe('an archived turn', () => {
  const SAID = 'The rollout window of Heron is Tuesdays 14:00, and Mira is on call for it.'

  /** Says something in one session, and asks for it in another. */
  async function archived() {
    const made = await boot({ config: { injection: { deadlineMs: 10_000 } } })
    made.server.push({ text: 'I see.' })
    await made.host.runTurn(made.agent, SAID)
    const held = async () => {
      const { all, waiting } = (await made.memory.stats()).documents
      return all === 1 && waiting === 0
    }
    await vi.waitUntil(held, { timeout: 10_000 })
    const asking = await agentIn(made.host)
    const ask = async (line: string, agent = asking) => {
      const done = await made.host.ctx.commands.execute(agent, line, [], new AbortController().signal)
      return done?.result?.text ?? ''
    }
    const found = await ask('/memory search rollout window of Heron')
    const doc = /doc_[0-9a-f]+/.exec(found)?.[0] ?? ''
    return { ...made, asking, ask, found, doc }
  }

  it('is found, shown, counted, and named by why where only a page was recalled', async () => {
    const { ask, asking, host, server, found, doc } = await archived()
    expect(found).toMatch(new RegExp(`^${doc}, page 1\\n {2}\\[.* UTC, session .*, turn 1, page 1 of 1\\]`, 'm'))
    expect(await ask('/memory status')).toContain('1 archived turns')
    expect(await ask(`/memory show ${doc}`)).toContain(`  user: ${SAID}\n  assistant: I see.`)
    expect(await ask(`/memory history ${doc}`)).toContain(`show ${doc}`)
    server.push({ text: 'Tuesdays.' })
    await host.runTurn(asking, 'When is the rollout window of Heron?')
    const why = await ask('/memory why')
    expect(why).toMatch(/put before the model:$/m)
    expect(why).toMatch(
      new RegExp(`^${doc}, page 1 {2}score \\d\\.\\d{3}\\n {2}The rollout window.*\\n {2}\\(.+\\)$`, 'm'),
    )
  })

  it('of another project is not shown', async () => {
    const { ask, doc, host } = await archived()
    const elsewhere = await agentIn(host, tempDir())
    expect(await ask(`/memory show ${doc}`, elsewhere)).toBe(`No archived turn in this project has the id ${doc}.`)
  })
})

describe('a line that cannot be carried out is answered with text, never with a crash', () => {
  it.each([
    ['/memory', 'success', '/memory search WORDS'],
    ['/memory HELP', 'success', '/memory forget ID…'],
    ['/memory dream', 'error', 'no /memory dream'],
    ['/memory add', 'error', '/memory add TEXT'],
    ['/memory search　', 'error', '/memory search WORDS'],
    ['/memory forget blk_nope', 'error', 'does not exist'],
    ['/memory history blk_nope', 'success', 'No event'],
    ['/memory show blk_nope', 'success', 'No memory in this project has the id blk_nope'],
    ['/memory show', 'error', '/memory show ID'],
    ['/memory __proto__', 'error', 'no /memory __proto__'],
    ['/memory search "*) OR NEAR(', 'success', ''],
    ['/memory Search nothing', 'success', 'no'],
  ])('%s', async (line, kind, text) => {
    const { run } = await boot()
    expect(await run(line)).toMatchObject({ kind, text: expect.stringContaining(text) })
  })

  it('while the database does not answer, every verb ends when it is cancelled', async () => {
    const made = await boot()
    await made.run(`/memory add ${FACT}`)
    const { thread } = modelOf(made)
    if (thread === undefined) throw new Error('there is no worker')
    const post = thread.postMessage.bind(thread)
    thread.postMessage = () => undefined
    const started = performance.now()
    for (const rest of [
      'search gateway',
      `forget ${ID}`,
      `history ${ID}`,
      `show ${ID}`,
      'status',
      'add another fact',
    ]) {
      const abort = new AbortController()
      setTimeout(() => abort.abort(), 50)
      const done = await made.run(`/memory ${rest}`, abort.signal).catch((error: unknown) => ({ kind: 'error', error }))
      expect([rest, done?.kind === 'error' || rest.startsWith('add')]).toEqual([rest, true])
    }
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(oursIn(made.agent.session.events, 'purge')).toEqual([])
    thread.postMessage = post
  })
})

test('what a human adds is not repeated in the record of the command', async () => {
  const { run, agent } = await boot()
  await run('/memory add synthetic words 4711')
  const commands = agent.session.events.filter(event => event.type === 'command/run')
  expect(commands.length).toBe(1)
  expect(JSON.stringify(commands)).not.toContain('4711')
})
