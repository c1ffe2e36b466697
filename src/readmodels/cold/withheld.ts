import type { Database } from 'better-sqlite3'
import { canonicalBlockId } from '../../events/index.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'
import { statement } from '../recall/statements.ts'
import { piecesOf } from './pieces.ts'
import type { Page } from './port.ts'

/** What recall must not show of the documents of a namespace. */
export interface Withholding {
  /** Whether anything may be withheld at all. */
  readonly any: boolean
  page(page: Page): boolean
  text(text: string): boolean
}

/**
 * Tells what recall must withhold: pages that a purge named, and what says what is forgotten. Of a purged block only the
 * hash of its text is known, so texts are compared by the hashes of what they are made of. One that is made of more than
 * can be compared is withheld.
 */
export function withholding(db: Database, ns: number): Withholding {
  const named = statement(
    db,
    `SELECT 1 FROM cold_withheld WHERE ns IN (${EVERYWHERE}, ?) AND doc = ? AND page = ? LIMIT 1`,
  )
  const forgotten = forgottenIn(db, ns)
  const text = (one: string): boolean => {
    if (forgotten === undefined) return false
    const pieces = piecesOf(one)
    return pieces === undefined || [...pieces].some(forgotten)
  }
  return {
    any:
      forgotten !== undefined ||
      statement(db, `SELECT 1 FROM cold_withheld WHERE ns IN (${EVERYWHERE}, ?) LIMIT 1`).get(ns) !== undefined,
    page: ({ doc, page, parts }) => named.get(ns, doc, page) !== undefined || parts.some(part => text(part.text)),
    text,
  }
}

/** Whether a canonical text is a purged block's that was not committed again since; `undefined` where nothing was purged. */
function forgottenIn(db: Database, ns: number): ((text: string) => boolean) | undefined {
  const any = statement(db, `SELECT 1 FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) LIMIT 1`).get(ns)
  if (any === undefined) return undefined
  const buried = statement(db, `SELECT 1 FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) AND block = ? LIMIT 1`)
  const lives = statement(db, 'SELECT 1 FROM memory_blocks WHERE ns = ? AND id = ?')
  return text => {
    const id = canonicalBlockId(text)
    return buried.get(ns, id) !== undefined && lives.get(ns, id) === undefined
  }
}
