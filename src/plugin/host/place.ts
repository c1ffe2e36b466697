import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'

/** Where in its conversation a session is. */
export interface TurnPlace {
  readonly turn?: number
  readonly step?: number
}

/** Keeps the open turn and step of live sessions. Unknown for a turn that was open before we were mounted. */
export function followTurns(ctx: Context): (session: Session) => TurnPlace {
  const places = new WeakMap<Session, TurnPlace>()
  ctx.on('session/event', (session, event) => {
    if (event.type === 'turn/start') places.set(session, { turn: event.data.turn })
    else if (event.type === 'step/start') places.set(session, { turn: event.data.turn, step: event.data.step })
    else if (event.type === 'turn/end') places.delete(session)
  })
  return session => places.get(session) ?? {}
}
