import { inOut, type PageHit } from '../../readmodels/index.ts'
import { inert } from '../injection/inert.ts'
import type { Price } from '../injection/price.ts'

/** A page as it is shown: whole, or with its longest parts cut in the middle. */
export interface ShownPage {
  readonly page: PageHit
  readonly text: string
}

/** A page with less room than this is left out rather than cut, in tokens. */
const LEAST_PAGE = 120
/** How many times a page is made shorter until it fits. */
const MOST_CUTS = 8

/**
 * The pages to show, best first, within a number of tokens. One that is too long has its longest parts cut, and none is
 * shown without what belongs to it: a call stands with its result.
 */
export function choosePages(pages: readonly PageHit[], tokens: number, price: Price): ShownPage[] {
  const shown: ShownPage[] = []
  let room = tokens
  for (const page of pages) {
    const fitting = fitPage(page, room, price)
    if (fitting === undefined) break
    shown.push(fitting)
    room -= priceOf(fitting, price)
  }
  return shown
}

/** A page within a number of tokens; undefined where there is no room for one. */
export function fitPage(page: PageHit, room: number, price: Price): ShownPage | undefined {
  if (room < LEAST_PAGE) return undefined
  // Four Latin characters are a token; other scripts and escaping take more.
  let limit = room * 4
  for (let cut = 0; cut < MOST_CUTS; cut++) {
    const shown = { page, text: inOut(page, limit) }
    if (priceOf(shown, price) <= room) return shown
    limit = Math.floor(limit / 1.6)
  }
  return undefined
}

function priceOf({ page, text }: ShownPage, price: Price): number {
  return price(`${pageEntry(page.doc, page.page, text)}\n`)
}

/** A page as a model reads it: its text, which says when and where it was, is inert. `page` counts from 0. */
export function pageEntry(doc: string, page: number, text: string): string {
  return `<page doc="${doc}" number="${page + 1}">\n${inert(text)}\n</page>`
}
