/** Our folds as the plugin registers them with the real registry: what is read from them, and what a fault costs. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { blockId } from '../../../src/events/index.ts'
import { registerProjections } from '../../../src/plugin/host/projections.ts'
import { blocksUnit, injectedIn, recallUnit, saidHere, spaceUnit } from '../../../src/projections/index.ts'
import { commit, recall, space } from '../../events/samples.ts'
import { hosts, provenCarrier } from './carrier/support.ts'

const boot = hosts()
const carrier = provenCarrier()

afterEach(() => {
  vi.restoreAllMocks()
})

/** A unit of another plugin, registered before or after ours. */
const other = (key: string) => ({
  key,
  stateVersion: 1,
  schema: { parse: (value: unknown) => value },
  init: () => 0,
  apply: (state: number) => state + 1,
  view: (state: number) => state,
})

async function mounted() {
  const host = await boot({ persistence: false })
  const registry = host.ctx.sessionProjections
  const register = (unit: object) => registry.register(unit as unknown as Parameters<typeof registry.register>[0])
  const faults = vi.fn()
  register(other('other/before'))
  const projections = registerProjections(host.ctx, faults)
  register(other('other/after'))
  const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
  session.append('turn/start', { turn: 1 })
  const values = () => registry.snapshot(session).values as Record<string, unknown>
  return { host, register, session, projections, faults, values }
}

describe('what the plugin registers', () => {
  it('shows counts, and gives states to us', async () => {
    const { session, projections, values, faults } = await mounted()
    carrier.append(session, 'space', space())
    carrier.append(session, 'commit', commit())
    carrier.append(session, 'recall', recall({ message: 'm' }))
    expect(values()).toEqual({
      'other/before': 4,
      'hologram/space': { fingerprint: 'f', dimension: 3 },
      'hologram/blocks': { said: 1, purged: 0, merged: 0, clock: 3, skipped: 0 },
      'hologram/recall': { injections: 0 },
      'hologram/archive': { documents: 0, unarchived: 0 },
      'other/after': 4,
    })
    expect(saidHere(projections.blocks(session), blockId('the cat is called Mimi'))).toBe(true)
    expect(saidHere(projections.blocks(session), blockId('nobody said this'))).toBe(false)
    expect(injectedIn(projections.recall(session))).toEqual([])
    expect(faults).not.toHaveBeenCalled()
  })

  it('keeps sessions apart', async () => {
    const { host, session, projections } = await mounted()
    const second = (await host.createAgent({ sessionId: 'second', cwd: host.home })).session
    carrier.append(session, 'commit', commit({ text: 'one' }))
    carrier.append(second, 'commit', commit({ text: 'two' }))
    const said = [session, second].map(each =>
      ['one', 'two'].map(text => saidHere(projections.blocks(each), blockId(text))),
    )
    expect(said).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it.each(['before', 'after'])(
    'gives its states even while a unit registered %s it fails every snapshot',
    async when => {
      const host = await boot({ persistence: false })
      const registry = host.ctx.sessionProjections
      const broken = {
        ...other('other/broken'),
        view: () => {
          throw new Error('not ours')
        },
      } as unknown as Parameters<typeof registry.register>[0]
      if (when === 'before') registry.register(broken)
      const projections = registerProjections(host.ctx, () => {})
      if (when === 'after') registry.register(broken)
      const { session } = await host.createAgent({ sessionId: 's', cwd: host.home })
      carrier.append(session, 'commit', commit())
      expect(() => registry.snapshot(session)).toThrow('not ours')
      expect(saidHere(projections.blocks(session), blockId('the cat is called Mimi'))).toBe(true)
    },
  )
})

describe.each([spaceUnit, blocksUnit, recallUnit])('a throw injected into $key', unit => {
  const injected = () => {
    throw new Error('injected')
  }

  it('in its fold is told, and harms no unit beside it and no session', async () => {
    const { host, session, values, faults } = await mounted()
    vi.spyOn(unit, 'apply').mockImplementation(injected)
    carrier.append(session, 'commit', commit())
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    expect(session.seq).toBe(3)
    expect(values()).toMatchObject({ 'other/before': 3, [unit.key]: unit.emptyView, 'other/after': 3 })
    expect(faults).toHaveBeenCalledWith({ key: unit.key, where: 'apply', error: new Error('injected') })
    expect(host.logs).toEqual([])
  })

  it.each(['throws', 'does not fit'])(
    'in its view (it %s) is told, and the history of all others is shown',
    async how => {
      const { host, session, values, faults } = await mounted()
      vi.spyOn(unit, 'view').mockImplementation(how === 'throws' ? injected : () => ({ nonsense: 1 }) as never)
      carrier.append(session, 'commit', commit())
      expect(values()).toMatchObject({ 'other/before': 2, [unit.key]: unit.emptyView, 'other/after': 2 })
      expect(faults).toHaveBeenCalledWith({ key: unit.key, where: 'view', error: expect.any(Error) })
      expect(host.logs).toEqual([])
    },
  )
})
