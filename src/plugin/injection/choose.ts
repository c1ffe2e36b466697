import type { RecallHit } from '../../readmodels/index.ts'
import { entry, frame, type Shown } from './frame.ts'
import type { Price } from './price.ts'
import { cutToTokens } from './tokens.ts'
import type { Visible } from './visible.ts'

export interface Budget {
  readonly topK: number
  readonly turnTokens: number
  readonly sessionTokens: number
}

/** A note with less room than this is left out rather than cut, in tokens. */
const LEAST_NOTE = 40

/** Tokens that may still be put before the model in this turn. */
export function roomIn({ turnTokens, sessionTokens }: Omit<Budget, 'topK'>, visible: Visible): number {
  return Math.min(turnTokens - visible.spentInTurn, sessionTokens - visible.spent)
}

/**
 * The hits to show: not what the model still sees, best first, within the budgets; a long one is cut, not dropped. The
 * message they make, with a remark if there is one, costs no more than the budgets leave.
 */
export function choose(
  hits: readonly RecallHit[],
  visible: Visible,
  budget: Budget,
  price: Price,
  remark?: string,
): Shown[] {
  const all = roomIn(budget, visible)
  // What a meter adds to every message is in the price of the empty frame.
  const nothing = price('')
  const costOf = (note: Shown) => price(`${entry(note)}\n`) - nothing
  let room = all - price(frame([], remark))
  const shown: Shown[] = []
  for (const hit of hits) {
    if (shown.length === budget.topK) break
    if (visible.sees(hit.id)) continue
    const around = costOf({ hit, text: '' })
    if (room - around < LEAST_NOTE) break
    const note = toFit(hit, room, room - around, costOf)
    if (note === undefined) continue
    shown.push(note)
    room -= costOf(note)
  }
  // Prices of parts need not add up to that of the whole.
  while (shown.length > 0 && price(frame(shown, remark)) > all) shown.pop()
  return shown
}

/** The note, or as much of its beginning as there is room for. */
function toFit(hit: RecallHit, room: number, forText: number, costOf: (note: Shown) => number): Shown | undefined {
  // Escaping only ever makes a text longer, up to sixfold, so it is cut shorter where it did.
  for (let tokens = forText; tokens >= 4; tokens = Math.floor(tokens / 1.6)) {
    const note = { hit, text: cutToTokens(hit.text, tokens) }
    if (costOf(note) <= room) return note
  }
  return undefined
}
