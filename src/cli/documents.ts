import { readDocument } from '../readmodels/cold/read.ts'
import type { openReadOnly } from '../readmodels/database/open.ts'
import { type DocumentAnswer, inOut, type PageHit } from '../readmodels/index.ts'
import { isoMinute } from './when.ts'

type Database = ReturnType<typeof openReadOnly>

/** Characters of a page that `search` shows, and that `show` does. */
const FOUND_CHARS = 1_200
const SHOWN_CHARS = 100_000

/** A cold document as it is now, or nothing when it is not known. */
export function documentView(db: Database, doc: string, namespace: string | undefined): DocumentAnswer | null {
  return readDocument(db, { doc, ...(namespace === undefined ? {} : { namespace }) })
}

/** The lines that show a document: where it comes from, what became of it, and its pages. */
export function* describeDocument(view: DocumentAnswer): Generator<string> {
  const { doc, label, namespace, title, tags, session, turn, archivedAt, event, ended, state, distilled } = view
  yield `${doc}  in ${label} (${namespace}): ${title}`
  yield `  archived ${isoMinute(archivedAt)} by ${event}, session ${session}${turn === null ? '' : `, turn ${turn}`} (${ended})`
  if (tags.length > 0) yield `  tags ${tags.join(', ')}`
  if (state === 'waiting') yield '  its session log was not read yet'
  if (state === 'withdrawn') yield '  its session log is gone, and with it the text'
  if (distilled) yield '  distilled into memories'
  yield `  asked for ${view.accesses} times`
  for (const page of view.pages) {
    const text = inOut({ ...view, ...page, pages: view.pages.length + view.withheld }, SHOWN_CHARS)
    yield `  ${text.replaceAll('\n', '\n  ')}`
  }
  if (view.withheld > 0) yield `  ${view.withheld} pages hold what was purged and are withheld`
}

/** The lines that show a page that was found. */
export function* describeFound(page: PageHit): Generator<string> {
  yield `${page.doc}#${page.page}  ${page.score.toFixed(3)}  ${page.title}`
  yield `  ${inOut(page, FOUND_CHARS).replaceAll('\n', '\n  ')}`
  yield `  (${page.why})`
}
