import type { Context } from '@deepseek-ai/cordis'
import { isOurs } from '../../../events/index.ts'

/**
 * Refuses any event of ours without the mark before it enters a log, whoever appends it. The dispatch is announced
 * after the envelope is frozen and before the log is touched, so a throw here leaves the log as it was.
 */
export function installSecondLock(ctx: Context): void {
  ctx.on(
    'internal/dispatch',
    (_mode, name, args) => {
      if (name !== 'session/event') return
      const event: unknown = args[1]
      if (typeof event !== 'object' || event === null) return
      const { type, ignorable } = event as { type?: unknown; ignorable?: unknown }
      if (isOurs(type) && ignorable !== true) {
        throw new Error(
          `dsh-hologram refused ${type}: without the ignorable mark this event would make the session impossible to open`,
        )
      }
    },
    { global: true },
  )
}
