/**
 * A plugin for the real host that goes on talking: the headless runner says one line and stops at the end of its turn, so
 * the next line is handed to the agent just before that. It imports nothing: what runs in the host is the host's.
 */
import { randomUUID } from 'node:crypto'

export const name = 'e2e-driver'

interface Stopping {
  readonly agent: {
    followup(message: unknown): void
    readonly session: { readonly header: { readonly origin?: string } }
  }
}

interface Host {
  on(event: 'agent/turn-stopping', listener: (stopping: Stopping) => void): void
}

export function apply(ctx: Host, { lines }: { readonly lines: readonly string[] }): void {
  const left = [...lines]
  ctx.on('agent/turn-stopping', ({ agent }) => {
    const text = agent.session.header.origin === 'subagent' ? undefined : left.shift()
    if (text === undefined) return
    agent.followup({ id: randomUUID(), role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } })
  })
}
