import type { Context } from '@deepseek-ai/cordis'

/** Whether agents are at work. */
export interface Quiet {
  /** Milliseconds since an agent last worked; 0 while one does. */
  since(): number
  /** Fires when one begins to; at once when one does already. */
  untilBusy(): AbortSignal
}

/** Follows all agents of the harness. */
export function followAgents(ctx: Context): Quiet {
  let last = performance.now()
  let waiting: AbortController | undefined
  const isBusy = () => ctx.agents.list().some(({ status }) => status === 'running')
  const note = (): void => {
    last = performance.now()
    waiting?.abort()
    waiting = undefined
  }
  ctx.on('agent/status', note)
  ctx.on('session/event', (_session, { type }) => {
    if (type === 'turn/start') note()
  })
  return {
    since: () => (isBusy() ? 0 : performance.now() - last),
    untilBusy() {
      if (isBusy()) return AbortSignal.abort()
      waiting ??= new AbortController()
      return waiting.signal
    },
  }
}
