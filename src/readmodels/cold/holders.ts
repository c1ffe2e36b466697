import type { Database } from 'better-sqlite3'
import { canonicalText } from '../../events/index.ts'
import { statement } from '../recall/statements.ts'
import type { PageOf } from './port.ts'

/** A run of characters that a text has in whatever form it was written: no other character becomes one of these by NFC. */
const STEADY = /[^\P{ASCII}\sK;`]+/gu

/**
 * Pages of a namespace that hold a block's text, in any wording it has, word for word but for white space. All of them are
 * looked through: an index brings the best, and here the last counts as much.
 */
export function pagesHolding(db: Database, ns: number, block: string): PageOf[] {
  const found = new Map<string, PageOf>()
  const parts = statement(
    db,
    `SELECT e.doc, e.page, b.text_content AS text FROM cold_events e JOIN memory_blocks b USING (row)
     WHERE e.ns = @ns AND (@run = '' OR instr(b.text_content, @run) > 0) ORDER BY e.doc, e.part`,
  )
  for (const wording of wordingsOf(db, ns, block)) {
    const rows = parts.iterate({ ns, run: longestRun(wording) }) as IterableIterator<PageOf & { text: string }>
    for (const { doc, page, text } of rows) {
      if (text.includes(wording) || canonicalText(text).includes(wording)) found.set(`${doc} ${page}`, { doc, page })
    }
  }
  return [...found.values()]
}

function longestRun(wording: string): string {
  return (wording.match(STEADY) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '')
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
