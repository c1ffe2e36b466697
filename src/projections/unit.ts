import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { z } from 'zod'

/**
 * One fold over a session's events: pure, synchronous, and its state plain JSON. `apply` returns the same reference for
 * an event that does not concern it. `View` is what browsers are sent on every change, so it is of constant size.
 */
export interface Unit<State, View> {
  readonly key: string
  /** Raised when the state's shape or the fold's meaning changes, so that cached states are discarded. */
  readonly stateVersion: number
  readonly viewSchema: z.ZodType<View>
  /** What is shown when a state cannot be shown: the view of nothing, as plain data that cannot fail. */
  readonly emptyView: View
  init(): State
  apply(state: State, event: SessionEvent): State
  view(state: State): View
  /** Whether a value can be a state: one that was cached by another version, or damaged, may be anything. */
  isState(value: unknown): value is State
}

/** Tells of a throw inside a fold or a view that was contained. */
export type FaultSink = (fault: {
  readonly key: string
  readonly where: 'apply' | 'view'
  readonly error: unknown
}) => void

/**
 * The same unit, unable to throw. A registry stops at the first throw, which costs every unit registered after it that
 * event for ever, and one failing view hides the whole history in the web client.
 */
export function total<State, View>(unit: Unit<State, View>, onFault: FaultSink): Unit<State, View> {
  const contain = <T>(where: 'apply' | 'view', run: () => T, otherwise: () => T): T => {
    try {
      return run()
    } catch (error) {
      try {
        onFault({ key: unit.key, where, error })
      } catch {
        // A failing report must not bring back the throw it reports.
      }
      return otherwise()
    }
  }
  // What came from here is sound; only a state from elsewhere is looked into, since events come by the thousand.
  const known = new WeakSet<object>()
  const vouch = (state: State): State => {
    if (typeof state === 'object' && state !== null) known.add(state)
    return state
  }
  const sound = (state: State): State => {
    if (typeof state === 'object' && state !== null && known.has(state)) return state
    return unit.isState(state) ? vouch(state) : unit.init()
  }
  return {
    ...unit,
    apply: (state, event) =>
      contain(
        'apply',
        () => vouch(unit.apply(sound(state), event)),
        () => state,
      ),
    // A view that its schema refuses is as harmful as one that throws: the registry parses it outside of any guard.
    view: state =>
      contain(
        'view',
        () => unit.viewSchema.parse(unit.view(sound(state))),
        () => unit.emptyView,
      ),
  }
}
