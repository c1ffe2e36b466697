import type { Database } from 'better-sqlite3'
import { canonicalText } from '../../events/index.ts'
import { recall } from '../recall/index.ts'
import { statement } from '../recall/statements.ts'
import type { PageOf } from './port.ts'
import { pagesOf } from './schema.ts'

/** Parts looked at for each wording: those that say it word for word rank first. */
const CANDIDATES = 200
/** Characters of a wording that pages are searched with; all of it is then compared. */
const ASKED = 2_000

/** Pages of a namespace that hold a block's text, in any wording it has, word for word but for white space. */
export function pagesHolding(db: Database, ns: number, block: string): PageOf[] {
  const wordings = wordingsOf(db, ns, block)
  const found = new Map<string, PageOf>()
  const consider = (row: number): void => {
    const part = statement(
      db,
      `SELECT e.doc, e.page, b.text_content AS text FROM cold_events e JOIN memory_blocks b USING (row) WHERE e.row = ?`,
    ).get(row) as (PageOf & { text: string }) | undefined
    if (part === undefined) return
    const text = canonicalText(part.text)
    if (wordings.some(wording => text.includes(wording)))
      found.set(`${part.doc} ${part.page}`, { doc: part.doc, page: part.page })
  }
  const namespaces = [pagesOf(ns)]
  for (const wording of wordings) {
    const { hits } = recall(db, { query: wording.slice(0, ASKED).toWellFormed(), namespaces, topK: CANDIDATES })
    for (const { row } of hits) consider(row)
  }
  // The index does not reach to the end of the longest parts.
  if (wordings.length > 0) for (const row of cutParts(db, ns)) consider(row)
  return [...found.values()]
}

function wordingsOf(db: Database, ns: number, block: string): string[] {
  const texts = statement(
    db,
    `SELECT text_content FROM memory_blocks WHERE ns = @ns AND id = @block
     UNION SELECT text FROM block_sources WHERE ns = @ns AND block = @block AND dead = 0 AND text IS NOT NULL`,
  )
    .pluck()
    .all({ ns, block }) as string[]
  return [...new Set(texts.map(canonicalText))].filter(text => text !== '')
}

function cutParts(db: Database, ns: number): number[] {
  return statement(db, 'SELECT row FROM cold_events WHERE ns = ? AND cut = 1').pluck().all(ns) as number[]
}
