/**
 * Our folds in the host's real registry, with a throw injected: no other plugin's projection and no session may be
 * harmed. The controls beside them show that the same throw, unguarded, does harm.
 *
 * A unit without a cell for a session builds it lazily from the log at first touch, and then catches up with what it
 * missed; so every test here touches all units once before the throw, as a live session does with its first event.
 */
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionProjectionRegistry } from '@deepseek-ai/dsh-session-projection'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findCarrier } from '../../src/plugin/host/carrier/index.ts'
import { blocksUnit, recallUnit, spaceUnit, total, type Unit } from '../../src/projections/index.ts'
import { commit, recall, space } from '../events/samples.ts'
import { bootHost, type Host } from '../support/host.ts'
import { removeTempDirs, stockOpen, tempDir } from '../support/logs.ts'

type AnyUnit = Unit<unknown, unknown>

const UNITS = [spaceUnit, blocksUnit, recallUnit] as unknown as readonly AnyUnit[]
const { carrier } = findCarrier()

let host: Host | undefined

afterEach(async () => {
  await host?.stop()
  host = undefined
  removeTempDirs()
})

/** A registry takes units by declared keys; those of other plugins are made up here. */
function register(registry: SessionProjectionRegistry, unit: AnyUnit): void {
  const definition = { ...unit, schema: unit.viewSchema }
  registry.register(definition as unknown as Parameters<typeof registry.register>[0])
}

/** A unit of another plugin: counts all events. */
function counter(key: string): AnyUnit {
  const unit: Unit<number, number> = {
    key,
    stateVersion: 1,
    viewSchema: z.number(),
    emptyView: 0,
    init: () => 0,
    apply: state => state + 1,
    view: state => state,
    isState: value => typeof value === 'number',
  }
  return unit as unknown as AnyUnit
}

/** A session with one unit of ours between two of others, all of them touched by an event. */
async function between(unit: AnyUnit) {
  host = await bootHost({ home: tempDir(), compression: 'none' })
  const registry = host.ctx.sessionProjections
  for (const each of [counter('other/before'), unit, counter('other/after')]) register(registry, each)
  const agent = await host.createAgent({ sessionId: 's', cwd: host.home })
  const { session } = agent
  session.append('turn/start', { turn: 1 })
  const values = () => registry.snapshot(session).values as Record<string, unknown>
  return { host, registry, agent, session, values }
}

function sayEverything(session: Awaited<ReturnType<typeof between>>['session']): readonly SessionEvent[] {
  carrier?.append(session, 'space', space())
  carrier?.append(session, 'commit', commit())
  carrier?.append(session, 'recall', recall({ message: 'm' }))
  return session.events
}

const throwing = (): never => {
  throw new Error('injected')
}

describe.each(UNITS)('$key in the real registry', unit => {
  it('a fold that throws costs no other unit an event, and no session its life', async () => {
    const faults: unknown[] = []
    const guarded = total({ ...unit, apply: throwing }, fault => faults.push(fault))
    const { host: booted, session, values } = await between(guarded)
    const live = sayEverything(session)
    expect(live).toHaveLength(4)
    expect(values()).toEqual({ 'other/before': 4, [unit.key]: unit.emptyView, 'other/after': 4 })
    expect(faults).toHaveLength(4)
    expect(booted.logs).toEqual([])
    await booted.stop()
    expect(await stockOpen(booted.sessionsRoot, 'none', 's')).toMatchObject({ ok: true })
  })

  it('control: the same throw, unguarded, costs the units registered after it those events for ever', async () => {
    let armed = false
    const broken: AnyUnit = { ...unit, apply: (state, event) => (armed ? throwing() : unit.apply(state, event)) }
    const { host: booted, session, values } = await between(broken)
    armed = true
    sayEverything(session)
    armed = false
    expect(values()).toEqual({ 'other/before': 4, [unit.key]: unit.emptyView, 'other/after': 1 })
    expect(booted.logs.filter(line => line.text.includes('injected'))).toHaveLength(3)
  })

  it('a view that throws, or that its schema refuses, hides nobody’s history', async () => {
    for (const view of [throwing, () => ({ nonsense: 1 })]) {
      const { registry, session, values } = await between(total({ ...unit, view }, () => {}))
      const changes: string[] = []
      registry.onChanged((_, key) => changes.push(key))
      sayEverything(session)
      expect(values()).toEqual({ 'other/before': 4, [unit.key]: unit.emptyView, 'other/after': 4 })
      expect(changes.filter(key => key === 'other/after')).toHaveLength(3)
      await host?.stop()
    }
  })

  it('control: the same view, unguarded, makes the whole snapshot throw', async () => {
    for (const view of [throwing, () => ({ nonsense: 1 })]) {
      const { values } = await between({ ...unit, view })
      expect(values).toThrow()
      await host?.stop()
    }
  })

  it('a checkpoint with garbage in it is read without harm to others', async () => {
    const { registry, session, values } = await between(total(unit, () => {}))
    sayEverything(session)
    const checkpoint = registry.checkpoint(session)
    for (const val of [
      null,
      7,
      { said: [1], count: Number.NaN, clock: 1, skipped: 1 },
      { space: {} },
      { entries: [3] },
    ]) {
      const damaged = { ...checkpoint, [unit.key]: { ver: unit.stateVersion, seq: 3, val } }
      expect(registry.viewCheckpoint(damaged)).toEqual({ ...values(), [unit.key]: unit.emptyView })
      const restored = registry.restore(damaged, session.events.slice(3), 3)
      expect(restored.snapshot.values).toMatchObject({ 'other/before': 4, 'other/after': 4 })
    }
  })

  it('a checkpoint is plain JSON and goes on where it was', async () => {
    const { registry, session, values } = await between(total(unit, () => {}))
    sayEverything(session)
    const stored = JSON.parse(JSON.stringify(registry.checkpoint(session))) as ReturnType<typeof registry.checkpoint>
    expect(registry.restore(stored, session.events.slice(3), 3).snapshot.values).toEqual(values())
  })
})
