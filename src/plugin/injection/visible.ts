import type { Session } from '@deepseek-ai/dsh-session'
import { type BlocksState, injectedIn, keptFor, lastSaid, type RecallState } from '../../projections/index.ts'
import { eventAt } from '../host/session-reader.ts'

/** How far before a commit the message that made it is looked for, in events. */
const LOOK_BACK = 200

/** What the model still sees, asked of the surface: after a compaction, what was replaced is no longer on it. */
export interface Visible {
  /** Estimated tokens injected into this session so far, visible or not. */
  readonly spent: number
  /** Whether a block stands before the model, by id. */
  sees(block: string): boolean
}

export function visibleIn(session: Session, recalls: RecallState, blocks: BlocksState): Visible {
  const nodes = new Set<number>(session.surface.nodes)
  const injected = injectedIn(recalls)
  const visible = injected.filter(({ seq }) => nodes.has(seq)).flatMap(({ blocks: ids }) => ids)
  // What was injected under one id and merged since is seen under the other.
  const shown = new Set(visible.flatMap(id => [id, keptFor(blocks, id)]))
  return {
    spent: injected.reduce((sum, { tokens }) => sum + (Number.isFinite(tokens) ? tokens : 0), 0),
    sees: block => shown.has(block) || saidVisibly(session, nodes, blocks, block),
  }
}

/** Whether a block was said in this session, inherited beginning included, by a message that is still on the surface. */
function saidVisibly(session: Session, nodes: ReadonlySet<number>, blocks: BlocksState, block: string): boolean {
  const said = lastSaid(blocks, block)
  if (said === undefined) return false
  for (let at = said.seq - 1; at >= Math.max(0, said.seq - LOOK_BACK); at--) {
    const before = eventAt(session, at)
    if (before !== undefined && 'surfaceOp' in before && before.surfaceOp === 'append') return nodes.has(at)
  }
  return false
}
