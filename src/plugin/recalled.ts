import type { Recalled, RecalledPage } from '../events/index.ts'
import type { PageHit, RecallHit } from '../readmodels/index.ts'

/**
 * Hits as the event of a recall names them. The reason quotes words of the block; those of another namespace do not enter
 * this one's events.
 */
export function recalledIn(hits: readonly RecallHit[], own: string): Recalled[] {
  return hits.map(({ id, score, exact, why, namespace }) => ({
    block: id,
    score,
    exact,
    why: namespace === own ? why : '',
  }))
}

/** Pages as the event of a recall names them, likewise. */
export function pagesRecalledIn(pages: readonly PageHit[], own: string): RecalledPage[] {
  return pages.map(({ doc, page, score, exact, why, namespace }) => ({
    doc,
    page,
    score,
    exact,
    why: namespace === own ? why : '',
  }))
}
