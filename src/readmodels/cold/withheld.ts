import type { Database } from 'better-sqlite3'
import { canonicalBlockId } from '../../events/index.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'
import { statement } from '../recall/statements.ts'
import { Finder } from './finder.ts'
import { piecesOf } from './pieces.ts'
import type { Page } from './port.ts'
import { forgottenIn } from './purged.ts'

/** What recall must not show of the documents of a namespace. */
export interface Withholding {
  /** Whether anything may be withheld at all. */
  readonly any: boolean
  page(page: Page): boolean
  text(text: string): boolean
}

/** Tells what recall must withhold: pages that a purge named, and what holds the text of a block that is forgotten. */
export function withholding(db: Database, ns: number): Withholding {
  const named = statement(
    db,
    `SELECT 1 FROM cold_withheld WHERE ns IN (${EVERYWHERE}, ?) AND doc = ? AND page = ? LIMIT 1`,
  )
  const text = tellForgotten(db, ns)
  return {
    any:
      text !== undefined ||
      statement(db, `SELECT 1 FROM cold_withheld WHERE ns IN (${EVERYWHERE}, ?) LIMIT 1`).get(ns) !== undefined,
    page: ({ doc, page, parts }) =>
      named.get(ns, doc, page) !== undefined || (text !== undefined && parts.some(part => text(part.text))),
    text: one => text?.(one) === true,
  }
}

/**
 * Tells texts that say what is forgotten; `undefined` where nothing is. Where only the hash of a purged text is known,
 * texts are compared by the hashes of what they are made of, and one that is made of more than can be compared is withheld.
 */
function tellForgotten(db: Database, ns: number): ((text: string) => boolean) | undefined {
  const forgotten = forgottenIn(db, ns)
  if (forgotten === undefined) return undefined
  const { wordings, unworded } = forgotten
  const finder = new Finder(wordings, true)
  const isUnworded = (text: string): boolean => {
    const pieces = piecesOf(text)
    return pieces === undefined || [...pieces].some(piece => unworded.has(canonicalBlockId(piece)))
  }
  return text => (wordings.length > 0 && finder.isIn(text)) || (unworded.size > 0 && isUnworded(text))
}
