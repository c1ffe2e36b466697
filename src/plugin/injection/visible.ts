import type { Session } from '@deepseek-ai/dsh-session'
import { readSaid } from '../../events/index.ts'
import {
  awaitedIn,
  type BlocksState,
  type Injected,
  injectedIn,
  keptFor,
  lastSaid,
  lookedUpIn,
  pageKey,
  type RecallState,
} from '../../projections/index.ts'
import type { Page } from '../../readmodels/index.ts'
import { eventAt, latestTurnStart } from '../host/session-reader.ts'

/** How far before a commit the message that made it is looked for, in events. */
const LOOK_BACK = 200

/** What the model still sees, asked of the surface: after a compaction, what was replaced is no longer on it. */
export interface Visible {
  /** Tokens injected into this session so far, visible or not, and those of the turn that is open. */
  readonly spent: number
  readonly spentInTurn: number
  /** Whether a block stands before the model, by id, or is about to. */
  sees(block: string): boolean
  /** Whether a page of a cold document does: it was put there, or the conversation it is of still stands there. */
  seesPage(page: Page): boolean
  /** Whether a message of ours with this very text does. */
  reads(text: string): boolean
}

export function visibleIn(session: Session, recalls: RecallState, blocks: BlocksState): Visible {
  const nodes = new Set<number>(session.surface.nodes)
  const turn = latestTurnStart(session)
  const injected = injectedIn(recalls)
  // What a tool of this very step brought has not reached the log yet.
  const awaited = awaitedIn(recalls).filter(({ seq }) => seq >= turn)
  const visible = injected.filter(({ seq }) => nodes.has(seq))
  // What was injected under one id and merged since is seen under the other.
  const lookedUp = lookedUpIn(recalls).filter(({ seq }) => nodes.has(seq))
  const shown = new Set(
    [...visible, ...awaited, ...lookedUp].flatMap(({ blocks: ids }) => ids).flatMap(id => [id, keptFor(blocks, id)]),
  )
  return {
    spent: sum(injected) + sum(awaited),
    spentInTurn: sum(injected.filter(({ seq }) => seq >= turn)) + sum(awaited),
    sees: block => shown.has(block) || saidVisibly(session, nodes, blocks, block),
    seesPage: page => shown.has(pageKey(page)) || stillSaid(session, nodes, page),
    reads: text => visible.some(({ seq }) => textAt(session, seq) === text),
  }
}

/** Whether a message or a call of a page stands before the model as it was said. */
function stillSaid(session: Session, nodes: ReadonlySet<number>, { parts }: Page): boolean {
  const ids = new Set(parts.flatMap(({ message, callId }) => [message, callId]).filter(id => id !== ''))
  for (const seq of nodes) {
    const said = readSaid(eventAt(session, seq))
    if (said !== undefined && ids.has(said.id)) return true
  }
  return false
}

function sum(messages: readonly Injected[]): number {
  return messages.reduce((all, { tokens }) => all + (Number.isFinite(tokens) ? tokens : 0), 0)
}

function textAt(session: Session, seq: number): string {
  const event = eventAt(session, seq)
  if (event?.type !== 'user/message') return ''
  return event.data.content.map(block => (block.type === 'text' ? block.text : '')).join('')
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
