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
    if (visible.sees(hit)) continue
    const around = estimateTokens(entry({ hit, text: '' }))
    if (room - around < LEAST_NOTE) break
    const whole = { hit, text: hit.text }
    const fits = estimateTokens(entry(whole)) <= room
    // Escaping only ever makes a text longer, so the cut is made once more where it did.
    const note = fits ? whole : { hit, text: cutToTokens(hit.text, Math.floor((room - around) * 0.8)) }
    const cost = estimateTokens(entry(note))
    if (cost > room) continue
    shown.push(note)
    room -= cost
  }
  return shown
}
