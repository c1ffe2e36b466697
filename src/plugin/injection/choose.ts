import type { RecallHit } from '../../readmodels/index.ts'
import { entry, frame, type Shown } from './frame.ts'
import { cutToTokens, estimateTokens } from './tokens.ts'
import type { Visible } from './visible.ts'

export interface Budget {
  readonly topK: number
  readonly turnTokens: number
  readonly sessionTokens: number
}

/** A note with less room than this is left out rather than cut, in estimated tokens. */
const LEAST_NOTE = 40

/** The hits to show: not what the model still sees, best first, within the budgets; a long one is cut, not dropped. */
export function choose(hits: readonly RecallHit[], visible: Visible, budget: Budget): Shown[] {
  let room = Math.min(budget.turnTokens, budget.sessionTokens - visible.spent) - estimateTokens(frame([]))
  const shown: Shown[] = []
  for (const hit of hits) {
    if (shown.length === budget.topK) break
    if (visible.sees(hit.id)) continue
    const around = estimateTokens(entry({ hit, text: '' }))
    if (room - around < LEAST_NOTE) break
    const note = toFit(hit, room, room - around)
    if (note === undefined) continue
    shown.push(note)
    room -= costOf(note)
  }
  return shown
}

/** The note, or as much of its beginning as there is room for. */
function toFit(hit: RecallHit, room: number, forText: number): Shown | undefined {
  // Escaping only ever makes a text longer, up to sixfold, so it is cut shorter where it did.
  for (let tokens = forText; tokens >= 4; tokens = Math.floor(tokens / 1.6)) {
    const note = { hit, text: cutToTokens(hit.text, tokens) }
    if (costOf(note) <= room) return note
  }
  return undefined
}

function costOf(note: Shown): number {
  return estimateTokens(`${entry(note)}\n`)
}
