import type { Context } from '@deepseek-ai/cordis'
import { within } from '../within.ts'
import type { Archiver } from './archiver.ts'

/** How long a turn that stops may wait for its event to be in the log, in milliseconds: it is written either way. */
const WAIT_MS = 50
/** Events that say that earlier turns are to be archived now: another begins, or a summary is to replace them. */
const OCCASIONS: ReadonlySet<string> = new Set(['turn/start', 'compaction/start'])

/**
 * Archives turns as they stop, and at the next occasion those that did not stop by themselves or ran without us. Never
 * because a session was merely opened.
 */
export function archiveTurns(ctx: Context, archiver: Archiver): void {
  const unloaded = new AbortController()
  ctx.effect(() => () => unloaded.abort(), 'hologram archive')
  // It returns nothing: anything else would end the round of those who are asked after us.
  ctx.on('agent/turn-stopping', async ({ agent }) => {
    await within(WAIT_MS, archiver.archiveOpen(agent.session)).catch(() => undefined)
  })
  ctx.on('session/event', (session, { type }) => {
    if (!OCCASIONS.has(type)) return
    // A host refuses what is appended while it tells of another event.
    setImmediate(() => {
      if (!unloaded.signal.aborted) void archiver.archiveEnded(session, unloaded.signal)
    })
  })
}
