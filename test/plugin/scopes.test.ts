import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { beforeEach, describe, expect, it } from 'vitest'
import { blockId } from '../../src/events/index.ts'
import type { Scope } from '../../src/readmodels/index.ts'
import { tempDir } from '../support/temp.ts'
import { agentIn, type Rig, recalledIn, rig } from './rig.ts'
import { recalled } from './tools/call.ts'

/** One note each of this session, another of this project, and another project. */
const HERE = 'valve 7 was opened here'
const PROJECT = 'valve 7 was opened next door'
const ELSEWHERE = 'valve 7 was opened far away'

let made: Rig
let here: Agent

async function fill(config: object = {}): Promise<void> {
  made = await rig({ config })
  const elsewhere = join(tempDir(), 'elsewhere')
  mkdirSync(elsewhere)
  here = await agentIn(made.host)
  await made.memory.commit({ text: HERE }, { session: here.session })
  await made.memory.commit({ text: PROJECT }, { session: (await agentIn(made.host)).session })
  await made.memory.commit({ text: ELSEWHERE }, { session: (await agentIn(made.host, elsewhere)).session })
}

async function found(agent: Agent, scope?: Scope): Promise<string[]> {
  const { hits } = await made.memory.recall('valve 7', {
    session: agent.session,
    ...(scope === undefined ? {} : { scope }),
  })
  const byTool = await recalled(made.host, 'valve 7', agent, scope === undefined ? {} : { scope })
  expect(byTool.hits.map(({ id }) => id)).toEqual(hits.map(({ id }) => id))
  return hits.map(({ text }) => text).sort()
}

describe('recall.scope', () => {
  beforeEach(() => fill())

  it('namespace, the default, is this project', async () => {
    expect(await found(here)).toEqual([HERE, PROJECT])
    expect(await found(here, 'namespace')).toEqual([HERE, PROJECT])
  })

  it('session is what was said in this session', async () => {
    expect(await found(here, 'session')).toEqual([HERE])
    expect(await found(await agentIn(made.host), 'session')).toEqual([])
  })

  it('all is every project', async () => {
    expect(await found(here, 'all')).toEqual([ELSEWHERE, HERE, PROJECT])
  })

  it('a fork has said its inherited beginning, and nothing its parent said later', async () => {
    const seed = here.session.events
    await made.memory.commit({ text: 'valve 7 was closed later' }, { session: here.session })
    const fork = await made.host.createAgent({
      sessionId: 'fork',
      cwd: made.host.home,
      parentSession: here.session.id,
      seed,
      seedLength: seed.length,
    })
    expect(await found(fork, 'session')).toEqual([HERE])
    await made.memory.commit({ text: 'valve 7 was oiled in the fork' }, { session: fork.session })
    expect(await found(fork, 'session')).toEqual([HERE, 'valve 7 was oiled in the fork'].sort())
    expect(await found(here, 'session')).toEqual(['valve 7 was closed later', HERE].sort())
  })

  it('a session that was resumed has said what it said before', async () => {
    made.server.push({ text: 'hello' })
    await made.host.runTurn(here, 'hi')
    await made.host.disposeAgent(here)
    expect(await found(await made.host.resumeAgent(here.session.id), 'session')).toEqual([HERE])
  })

  it('what the session said is found under what another session merged it into', async () => {
    await made.memory.merge(
      { keep: blockId(PROJECT), drop: blockId(HERE) },
      { session: (await agentIn(made.host)).session },
    )
    expect(await found(here, 'session')).toEqual([PROJECT])
    expect(await found(await agentIn(made.host), 'session')).toEqual([])
  })

  it('without a session, session scope sees nothing', async () => {
    expect((await made.memory.recall('valve 7', { scope: 'session' })).hits).toEqual([])
  })
})

describe('the configured scope', () => {
  it.each([
    ['session', [HERE]],
    ['all', [ELSEWHERE, HERE, PROJECT]],
  ] as const)('%s holds for the tool', async (scope, expected) => {
    await fill({ recall: { scope } })
    expect(await found(here)).toEqual(expected)
  })

  it.each([
    ['session', 0],
    ['namespace', 2],
    ['all', 3],
  ] as const)('%s holds for what is injected', async (scope, count) => {
    await fill({ recall: { scope } })
    await made.host.runTurn(await agentIn(made.host), 'who opened valve 7?')
    const notes =
      recalledIn(made.server)
        .join('')
        .match(/<note /g) ?? []
    expect(notes).toHaveLength(count)
  })
})
