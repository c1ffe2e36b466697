/** A purge reaches every page that holds its text, however many these are. */
import { expect, it } from 'vitest'
import { blockId, MAX_PURGED } from '../../../src/events/index.ts'
import { materialOf } from '../../readmodels/cold/logs.ts'
import { spoken } from '../../readmodels/cold/told.ts'
import { archiveOf } from '../../support/turns.ts'
import { modelOf } from '../law4/sabotage.ts'
import { agentIn, oursIn, rig } from '../rig.ts'

const TEXT = 'the staging port is 8443'

it('in as many events as it takes, which are one purge to whoever looks', async () => {
  const made = await rig()
  const agent = await agentIn(made.host)
  await made.memory.commit({ text: TEXT }, { session: agent.session })
  const ns = oursIn(agent.session.events, 'commit')[0]?.ns as { id: string; label: string }
  const calls = Array.from({ length: MAX_PURGED + 1 }, (_, n) => [`c${n}`, '{}', `I think ${TEXT}, said ${n}`] as const)
  const turn = spoken(1, 'look', 'noted', calls)
  let step = 0
  const events = turn.events.map(event => {
    if (event.type === 'tool/call') step += 1
    return { ...event, data: { ...(event.data as object), step } }
  })
  const archived = archiveOf(turn, 1_000, 'other', { ns })
  const model = modelOf(made)
  await model.fold([{ type: 'hologram/archive', data: archived }])
  await model.supply([materialOf(archived, 'other', events)])
  const { ids } = await made.memory.purge({ ids: [blockId(TEXT)], reason: 'asked to' }, { session: agent.session })
  expect(ids).toEqual([blockId(TEXT)])
  const purges = oursIn(agent.session.events, 'purge')
  expect(purges.map(({ pages }) => (pages as object[]).length)).toEqual([MAX_PURGED, 1])
  // What is named stays withheld, also when somebody says the text again.
  await made.memory.commit({ text: TEXT }, { session: agent.session })
  expect(await model.document(archived)).toMatchObject({ withheld: MAX_PURGED + 1 })
})
