/** A host that has no safe way for our events: turns are archived in the journal alone, and still once each. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/index.ts'
import { Archiver } from '../../../src/plugin/archive/archiver.ts'
import { archiveTurns } from '../../../src/plugin/archive/follow.ts'
import { Config } from '../../../src/plugin/config.ts'
import { registerProjections } from '../../../src/plugin/host/projections.ts'
import { Namespaces } from '../../../src/plugin/namespace.ts'
import { Recorder } from '../../../src/plugin/recorder.ts'
import { SessionWriter } from '../../../src/plugin/writer.ts'
import type { Material, ReadModel } from '../../../src/readmodels/index.ts'
import type { Host } from '../../support/host.ts'
import { agentIn, boot } from '../rig.ts'

const ASKED = 'Please look at the staging database, it refuses my connections since noon.'

/** The archive on a host, with a memory that takes note of what it is given. */
function archiving(host: Host) {
  const journal: StoredEvent[] = []
  const supplied: Material[] = []
  const model = {
    fold: async (events: readonly StoredEvent[]) => {
      journal.push(...events)
      return { acks: events.map(() => ({ status: 'folded', created: true })), clock: journal.length }
    },
    supply: async (materials: readonly Material[]) => {
      supplied.push(...materials)
      return materials.length
    },
  } as unknown as ReadModel
  const parts = {
    model,
    writer: new SessionWriter(host.ctx, undefined),
    namespaces: new Namespaces('project', async () => undefined),
    projections: registerProjections(host.ctx, () => undefined),
    placeOf: () => ({}),
    config: new Config({} as Config),
  }
  archiveTurns(host.ctx, new Archiver(host.ctx, parts, new Recorder(host.ctx, parts)))
  return { journal, supplied, turns: () => journal.map(({ data }) => (data as { at: { turn: number } }).at.turn) }
}

async function turns(host: Host, agent: Agent, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await host.runTurn(agent, ASKED)
  await new Promise(resolve => setTimeout(resolve, 50))
}

it('each turn is archived once, and its text handed over; earlier ones are not taken up anew by every process', async () => {
  const { host, server } = await boot()
  const agent = await agentIn(host)
  await turns(host, agent, 2)
  await host.flush(agent)
  await host.disposeAgent(agent)
  const { journal, supplied, turns: archived } = archiving(host)
  const resumed = await host.resumeAgent(agent.session.id)
  server.push({ status: 400 })
  await turns(host, resumed, 3)
  expect(resumed.session.events.filter(({ type }) => String(type).startsWith('hologram/'))).toEqual([])
  expect(archived().sort()).toEqual([3, 4, 5])
  expect(supplied.map(({ doc }) => doc).sort()).toEqual(journal.map(({ data }) => (data as { doc: string }).doc).sort())
  expect(supplied.every(({ said }) => said.length > 0)).toBe(true)
})
