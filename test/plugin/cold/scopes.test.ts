/** Pages of a session or project stay there, whoever asks and however. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { beforeEach, expect, it } from 'vitest'
import { tempDir } from '../../support/temp.ts'
import { agentIn, oursIn, type Rig, recalledIn, rig } from '../rig.ts'
import { callTool, outputOf } from '../tools/call.ts'

/** What three sessions were told: this one, another of its project, one of another project. */
const [HERE, DOOR, FAR] = ['kiwi', 'mango', 'papaya'].map(
  fruit => `Valve 7 of 10.7.0.7 was opened on Tuesday for the ${fruit}, please note that down.`,
) as [string, string, string]
const QUESTIONS = [
  'when was valve 7 opened?',
  '10.7.0.7',
  'what was noted down on Tuesday, please?',
  'papaya mango kiwi valve',
]

let made: Rig
let agents: readonly [here: Agent, door: Agent, far: Agent]
let docs: readonly string[]
let stranger: Agent

beforeEach(async () => {
  made = await rig({ commands: true, answers: Array.from({ length: 12 }, () => ({ text: 'It is noted.' })) })
  const elsewhere = join(tempDir(), 'elsewhere')
  mkdirSync(elsewhere)
  agents = [await agentIn(made.host), await agentIn(made.host), await agentIn(made.host, elsewhere)]
  for (const [at, words] of [HERE, DOOR, FAR].entries()) await made.host.runTurn(agents[at] as Agent, words)
  docs = agents.map(({ session }) => String(oursIn(session.events, 'archive')[0]?.doc))
  const end = performance.now() + 10_000
  while ((await made.memory.stats()).documents.waiting > 0 && performance.now() < end)
    await new Promise(soon => setTimeout(soon, 10))
  stranger = await agentIn(made.host)
})

const forkOf = ({ session: { id, events, seq } }: Agent, sessionId: string, cwd: string) =>
  made.host.createAgent({ sessionId, cwd, parentSession: id, seed: events, seedLength: seq })

/** Whose words came back, by any of the questions. */
async function seen(agent: Agent, scope?: string): Promise<string[]> {
  const answers = await Promise.all(
    QUESTIONS.map(query =>
      outputOf<object>(callTool(made.host, 'coldcontext_query', { query, topK: 10, ...(scope && { scope }) }, agent)),
    ),
  )
  const read = JSON.stringify(answers)
  return ['kiwi', 'mango', 'papaya'].filter(fruit => read.includes(`for the ${fruit}`))
}

it('by the tool, in each scope', async () => {
  const [here, , far] = agents
  expect(await seen(here)).toEqual(['kiwi', 'mango'])
  expect(await seen(here, 'namespace')).toEqual(['kiwi', 'mango'])
  expect(await seen(here, 'session')).toEqual(['kiwi'])
  expect(await seen(here, 'all')).toEqual(['kiwi', 'mango', 'papaya'])
  expect(await seen(far)).toEqual(['papaya'])
  expect(await seen(stranger, 'session')).toEqual([])
})

it('of a fork: what it inherited and its own, and nothing that its parent was told later', async () => {
  const [here] = agents
  const fork = await forkOf(here, 'fork', made.host.home)
  await made.host.runTurn(here, 'And the plum was moved to shelf 9 on Friday, please note that down too.')
  const answers = await outputOf<object>(
    callTool(made.host, 'coldcontext_query', { query: 'plum shelf 9 Friday', scope: 'session' }, fork),
  )
  expect(JSON.stringify(answers)).not.toContain('shelf 9 on Friday')
  expect(await seen(fork, 'session')).toEqual(['kiwi'])
})

it('by injection', async () => {
  const elsewhere = agents[2]
  await made.host.runTurn(stranger, 'When was valve 7 of 10.7.0.7 opened?')
  expect(recalledIn(made.server).join()).toMatch(/kiwi|mango/)
  expect(recalledIn(made.server).join()).not.toContain('papaya')
  await made.host.runTurn(elsewhere, 'Valve 7 of 10.7.0.7: for the kiwi or for the mango?')
  expect(recalledIn(made.server).join()).not.toMatch(/for the (kiwi|mango)/)
})

it('by hand: `show`, `search`, `history` and the service', async () => {
  const [here] = agents
  const run = async (line: string, agent = here) =>
    String((await made.host.ctx.commands.execute(agent, line, [], new AbortController().signal))?.result?.text)
  expect(await run(`/memory show ${docs[0]}`)).toContain(HERE)
  expect(await run(`/memory show ${docs[1]}`)).toContain(DOOR)
  for (const line of [`show ${docs[2]}`, `history ${docs[2]}`, 'search valve 7 10.7.0.7', 'search papaya'])
    expect(await run(`/memory ${line}`), line).not.toContain('for the papaya')
  expect(JSON.stringify(await made.memory.history(String(docs[2]), { session: here.session }))).not.toContain('papaya')
})

it('a document that is there twice, once in each project, shows each project its own part', async () => {
  const [here, , far] = agents
  // A fork that works elsewhere goes on with the turn it inherited: one document id, two projects.
  const fork = await forkOf(here, 'fork-far', String((far.session.header as { cwd?: string }).cwd))
  await made.host.runTurn(fork, 'In the fork the plum was moved to shelf 9 on Friday, note that down.')
  expect(await seen(stranger)).toEqual(['kiwi', 'mango'])
  const fromHere = await outputOf<object>(
    callTool(made.host, 'coldcontext_query', { query: 'plum shelf 9 Friday' }, here),
  )
  expect(JSON.stringify(fromHere)).not.toContain('shelf 9 on Friday')
})
