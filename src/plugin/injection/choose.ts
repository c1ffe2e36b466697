import type { PageHit, RecallAnswer, RecallHit } from '../../readmodels/index.ts'
import { fitPage } from '../cold/pages.ts'
import { entry, frame, type Shown, type ShownNote } from './frame.ts'
import type { Price } from './price.ts'
import { cutToTokens } from './tokens.ts'
import type { Visible } from './visible.ts'

export interface Budget {
  /** Memories, and pages beside them. */
  readonly topK: number
  readonly pages: number
  readonly turnTokens: number
  readonly sessionTokens: number
}

/** A note with less room than this is left out rather than cut, in tokens. */
const LEAST_NOTE = 40
/** Share of a turn's tokens that pages may take: what was only said must not keep out what was committed. */
const PAGE_SHARE = 0.5

/** Tokens that may still be put before the model in this turn. */
export function roomIn({ turnTokens, sessionTokens }: Omit<Budget, 'topK' | 'pages'>, visible: Visible): number {
  return Math.min(turnTokens - visible.spentInTurn, sessionTokens - visible.spent)
}

/**
 * The memories and pages to show: not what the model still sees, best first, within the budgets; a long one is cut, not
 * dropped. The message they make, with a remark if there is one, costs no more than the budgets leave.
 */
export function choose(
  answer: Pick<RecallAnswer, 'hits' | 'pages'>,
  visible: Visible,
  budget: Budget,
  price: Price,
  remark?: string,
): Shown[] {
  const all = roomIn(budget, visible)
  // What a meter adds to every message is in the price of the empty frame.
  const nothing = price('')
  const costOf = (one: Shown) => price(`${entry(one)}\n`) - nothing
  let room = all - price(frame([], remark))
  let roomForPages = Math.floor(budget.turnTokens * PAGE_SHARE)
  const shown: Shown[] = []
  const count = { notes: 0, pages: 0 }
  for (const one of bestFirst(answer)) {
    if (room < LEAST_NOTE) break
    if (isPage(one)) {
      if (count.pages === budget.pages || visible.seesPage(one) || isToldBy(one, answer.hits.slice(0, budget.topK)))
        continue
      const page = fitPage(one, Math.min(room, roomForPages), price)
      if (page === undefined) continue
      shown.push(page)
      count.pages += 1
      room -= costOf(page)
      roomForPages -= costOf(page)
      continue
    }
    if (count.notes === budget.topK || visible.sees(one.id)) continue
    const around = costOf({ hit: one, text: '' })
    if (room - around < LEAST_NOTE) break
    const note = toFit(one, room, room - around, costOf)
    if (note === undefined) continue
    shown.push(note)
    count.notes += 1
    room -= costOf(note)
  }
  // Prices of parts need not add up to that of the whole.
  while (shown.length > 0 && price(frame(shown, remark)) > all) shown.pop()
  return shown
}

/** Memories in their order with the pages between them by score; of equals the memory, which is shorter. */
function bestFirst({ hits, pages }: Pick<RecallAnswer, 'hits' | 'pages'>): Array<RecallHit | PageHit> {
  const mixed: Array<RecallHit | PageHit> = []
  let next = 0
  for (const hit of hits) {
    for (let page = pages[next]; page !== undefined && page.score > hit.score; page = pages[++next]) mixed.push(page)
    mixed.push(hit)
  }
  return [...mixed, ...pages.slice(next)]
}

function isPage(one: RecallHit | PageHit): one is PageHit {
  return 'doc' in one
}

/** Whether one of the best memories comes from the very turn a page is of: the page would say the same at length. */
function isToldBy({ session, turn }: PageHit, hits: readonly RecallHit[]): boolean {
  return turn !== null && hits.some(({ said }) => said.some(place => place.session === session && place.turn === turn))
}

/** The note, or as much of its beginning as there is room for. */
function toFit(
  hit: RecallHit,
  room: number,
  forText: number,
  costOf: (note: ShownNote) => number,
): ShownNote | undefined {
  // Escaping only ever makes a text longer, up to sixfold, so it is cut shorter where it did.
  for (let tokens = forText; tokens >= 4; tokens = Math.floor(tokens / 1.6)) {
    const note = { hit, text: cutToTokens(hit.text, tokens) }
    if (costOf(note) <= room) return note
  }
  return undefined
}
