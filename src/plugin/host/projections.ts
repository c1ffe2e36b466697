import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionProjectionMap } from '@deepseek-ai/dsh-session-projection'
import {
  type ArchiveState,
  archiveUnit,
  type BlocksState,
  blocksUnit,
  type FaultSink,
  type RecallState,
  recallUnit,
  type SpaceState,
  spaceUnit,
  total,
  type Unit,
} from '../../projections/index.ts'
import { eventsOf } from './session-reader.ts'

declare module '@deepseek-ai/dsh-session-projection/types' {
  interface SessionProjectionMap {
    'hologram/space': { fingerprint: string | null; dimension: number | null }
    'hologram/blocks': { said: number; purged: number; merged: number; clock: number; skipped: number }
    'hologram/recall': { injections: number }
    'hologram/archive': { documents: number; unarchived: number }
  }
}

type Key = Extract<keyof SessionProjectionMap, `hologram/${string}`>

/** What newer registries offer to read a state, beside `snapshot`. */
interface StateReader {
  stateOf?(session: Session, key: string): unknown
}

/** Our folds over a session, as the host drives them. */
export interface Projections {
  blocks(session: Session): BlocksState
  recall(session: Session): RecallState
  space(session: Session): SpaceState
  archive(session: Session): ArchiveState
}

/** States that views were handed, by key. Shared, because of two mounts the registry calls the view of the first only. */
const captured = new Map<string, unknown>()

/**
 * Registers our units with the host's registry and reads their states. A unit is registered in both shapes that
 * registries know. Where a registry gives views only, the state is the reference that `view` is handed during one
 * synchronous `snapshot()`; if that fails, because of another plugin's unit, the log is folded here.
 */
export function registerProjections(ctx: Context, onFault: FaultSink): Projections {
  const registry = ctx.sessionProjections
  const read = <State, View>(unit: Unit<State, View>): ((session: Session) => State) => {
    const guarded = total(unit, onFault)
    const view = (state: State): View => {
      captured.set(unit.key, state)
      return guarded.view(state)
    }
    const definition = {
      key: unit.key as Key,
      // A view of a newer or damaged state must not fail the snapshot of every other unit.
      schema: unit.viewSchema.catch(() => guarded.view(unit.init())),
      stateSchema: unit.viewSchema.catch(() => guarded.view(unit.init())),
      init: unit.init,
      apply: guarded.apply,
      view,
      wire: { viewSchema: unit.viewSchema, view },
      stateVersion: unit.stateVersion,
    }
    registry.register(definition as unknown as Parameters<typeof registry.register>[0])
    return session => {
      const state = stateOf(session, unit.key) ?? capture(session, unit.key)
      return unit.isState(state) ? state : refold(guarded, session)
    }
  }
  const capture = (session: Session, key: string): unknown => {
    captured.delete(key)
    try {
      registry.snapshot(session)
    } catch {
      // Another plugin's view failed; ours may have been reached before it.
    }
    const state = captured.get(key)
    captured.delete(key)
    return state
  }
  const stateOf = (session: Session, key: string): unknown => {
    const reader = registry as unknown as StateReader
    try {
      return reader.stateOf?.(session, key)
    } catch {
      return undefined
    }
  }
  return { space: read(spaceUnit), blocks: read(blocksUnit), recall: read(recallUnit), archive: read(archiveUnit) }
}

function refold<State, View>(unit: Unit<State, View>, session: Session): State {
  return eventsOf(session).reduce((state, event: SessionEvent) => unit.apply(state, event), unit.init())
}
