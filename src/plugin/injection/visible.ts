import type { Session } from '@deepseek-ai/dsh-session'
import { injectedIn, type RecallState } from '../../projections/index.ts'
import type { RecallHit } from '../../readmodels/index.ts'
import { eventAt } from '../host/session-reader.ts'

/** How far before a commit the message that made it is looked for, in events. */
const LOOK_BACK = 200

/** What the model still sees, asked of the surface: after a compaction, what was replaced is no longer on it. */
export interface Visible {
  /** Estimated tokens injected into this session so far, visible or not. */
  readonly spent: number
  sees(hit: RecallHit): boolean
}

export function visibleIn(session: Session, recalls: RecallState): Visible {
  const nodes = new Set<number>(session.surface.nodes)
  const injected = injectedIn(recalls)
  const shown = new Set(injected.filter(({ seq }) => nodes.has(seq)).flatMap(({ blocks }) => blocks))
  return {
    spent: injected.reduce((sum, { tokens }) => sum + (Number.isFinite(tokens) ? tokens : 0), 0),
    sees: hit => shown.has(hit.id) || hit.said.some(({ event, seq }) => saidVisibly(session, nodes, event, seq)),
  }
}

/**
 * Whether a commit was made in this session, by a message that is still on the surface. The event is compared by id: a
 * fork holds its parent's events at the same seqs, and other sessions hold other events there.
 */
function saidVisibly(session: Session, nodes: ReadonlySet<number>, event: string, seq: number | null): boolean {
  if (seq === null || seq >= session.seq) return false
  const data: unknown = eventAt(session, seq)?.data
  if (typeof data !== 'object' || data === null || Reflect.get(data, 'id') !== event) return false
  for (let at = seq - 1; at >= Math.max(0, seq - LOOK_BACK); at--) {
    const before = eventAt(session, at)
    if (before !== undefined && 'surfaceOp' in before && before.surfaceOp === 'append') return nodes.has(at)
  }
  return false
}
