/** What automatic prefill does to the age of a document: nothing. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { expect, it } from 'vitest'
import type { WorkerReadModel } from '../../../src/readmodels/index.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, oursIn, type Rig, rig } from '../rig.ts'
import { callTool, outputOf } from '../tools/call.ts'

const HOUR = 3_600_000
const AGE = 72 * HOUR
const TOLD = 'The staging database of Kestrel answers on port 6543 and takes TLS connections only.'
const QUESTION = 'Which port does the staging database of Kestrel answer on?'

interface Told extends Rig {
  readonly model: WorkerReadModel
  readonly doc: string
}

async function told(): Promise<Told> {
  // What asks is not to be archived: the document alone is looked at.
  const made = await rig({ config: { cold: { minChars: 160 } } })
  const agent = await agentIn(made.host)
  await say(made, agent, `${TOLD} ${'It was moved there at noon. '.repeat(4)}`)
  const end = performance.now() + 10_000
  const readable = async () => {
    const { all, waiting } = (await made.memory.stats()).documents
    return all - waiting
  }
  while ((await readable()) < 1 && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 10))
  const [event] = oursIn(agent.session.events, 'archive') as Array<{ doc: string }>
  return { ...made, model: modelOf(made), doc: event?.doc ?? '' }
}

async function say({ host, server }: Rig, agent: Agent, words: string): Promise<void> {
  server.push({ text: 'I see.' })
  await host.runTurn(agent, words)
}

/** Has a page put before the model unasked, in a session of its own. */
async function prefill(made: Told): Promise<void> {
  const agent = await agentIn(made.host)
  await say(made, agent, QUESTION)
  expect(oursIn(agent.session.events, 'recall')).toMatchObject([
    { mode: 'inject', pages: [{ doc: made.doc, page: 0 }] },
  ])
}

async function lookUp(made: Told): Promise<void> {
  const asked = callTool(made.host, 'coldcontext_query', { query: 'port 6543' }, await agentIn(made.host))
  expect(await outputOf(asked)).toMatchObject({ pages: [{ doc: made.doc }] })
}

/** Documents that are due for an age, so many hours from now. */
async function due({ model, memory }: Told, hours: number, age = AGE): Promise<string[]> {
  await memory.stats()
  const documents = await model.due({ age, accesses: 2, now: Date.now() + hours * HOUR, limit: 5 })
  return documents.map(({ doc }) => doc)
}

it('keeps a document neither warm nor makes it cool before its time', async () => {
  const made = await told()
  for (let n = 0; n < 4; n++) await prefill(made)
  expect(await made.model.document({ doc: made.doc })).toMatchObject({ accesses: 0, distilled: false })
  // As if its age were reached, it is due; at any hour before that, it is not.
  expect(await due(made, 1, 0)).toEqual([made.doc])
  for (const hours of [0, 23, 71, 24 * 365]) expect(await due(made, hours)).toEqual([])
})

it('does not cool what was asked for on purpose, before or after it', async () => {
  const made = await told()
  await lookUp(made)
  await prefill(made)
  await lookUp(made)
  await prefill(made)
  expect(await due(made, 1, 0)).toEqual([made.doc])
  await lookUp(made)
  expect(await due(made, 1, 0)).toEqual([])
  for (let n = 0; n < 3; n++) await prefill(made)
  expect(await due(made, 1, 0)).toEqual([])
  expect(await made.model.document({ doc: made.doc })).toMatchObject({ accesses: 3 })
})
