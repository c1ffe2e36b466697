import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { Finder } from './finder.ts'
import type { PageOf } from './port.ts'
import { wordingOf } from './wording.ts'

/** A run of characters that a text has in whatever case and form it was written: no other character becomes one of these. */
const STEADY = /[^\P{ASCII}\s;`KkIi]+/gu
/** Runs that are looked for before a part is read. */
const MOST_RUNS = 3
/** Texts whose runs are looked for one by one; of more, every part is read once. */
const MOST_EACH = 4

/**
 * Pages of a namespace that hold the text of some blocks, by block: word for word but for white space, case and the marks
 * it ends with. All of them are looked through: an index brings the best, and here the last counts as much.
 */
export function pagesHolding(db: Database, ns: number, blocks: readonly string[]): Map<string, PageOf[]> {
  const texts = statement(
    db,
    'SELECT id, text_content AS text FROM memory_blocks WHERE ns = ? AND id IN (SELECT value FROM json_each(?))',
  ).all(ns, JSON.stringify(blocks)) as Array<{ readonly id: string; readonly text: string }>
  const wordings = texts.flatMap(({ id, text }) => {
    const wording = wordingOf(text)
    return wording === undefined ? [] : [{ ...wording, id }]
  })
  if (wordings.length === 0) return new Map()
  const finder = new Finder(wordings, false)
  const runs = wordings.map(({ words }) => longestRuns(words))
  const isEach = runs.length <= MOST_EACH && runs.every(some => some.length > 0)
  const allOf = (some: readonly string[]) => some.map(() => 'instr(lower(b.text_content), ?) > 0').join(' AND ')
  const holdsRuns = isEach ? runs.map(allOf).join(' OR ') : '1'
  const parts = statement(
    db,
    `SELECT e.doc, e.page, b.text_content AS text FROM cold_events e JOIN memory_blocks b USING (row)
     WHERE e.ns = ? AND (${holdsRuns}) ORDER BY e.doc, e.part`,
  ).iterate(ns, ...(isEach ? runs.flat() : []))
  const found = new Map<string, Map<string, PageOf>>()
  for (const { doc, page, text } of parts as IterableIterator<PageOf & { text: string }>) {
    for (const { id } of finder.in(text)) {
      const pages = found.get(id) ?? new Map<string, PageOf>()
      found.set(id, pages.set(`${doc} ${page}`, { doc, page }))
    }
  }
  return new Map(Array.from(found, ([id, pages]) => [id, [...pages.values()]]))
}

function longestRuns(words: string): string[] {
  return (words.match(STEADY) ?? []).sort((a, b) => b.length - a.length).slice(0, MOST_RUNS)
}
