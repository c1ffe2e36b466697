import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { isOurs, SAYING_TYPES } from '../../events/index.ts'

const KEPT: ReadonlySet<string> = new Set(['turn/start', ...SAYING_TYPES])

/**
 * What was said in the turns that are open, from their beginning: a turn that stops is then read without a copy of its
 * whole log, which some hosts make for every look at it.
 */
export function followOpenTurns(ctx: Context): (session: Session, from: number) => readonly SessionEvent[] | undefined {
  const open = new WeakMap<Session, SessionEvent[]>()
  ctx.on('session/event', (session, event) => {
    if (event.type === 'turn/start') open.set(session, [event])
    else if (event.type === 'turn/end') open.delete(session)
    else if (KEPT.has(event.type) || isOurs(event.type)) open.get(session)?.push(event)
  })
  return (session, from) => {
    const kept = open.get(session)
    return kept?.[0]?.seq === from ? kept : undefined
  }
}
