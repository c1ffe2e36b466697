import type { Stats } from '../port.ts'
import { shownTime } from '../shown-time.ts'
import { inOut } from './inOut.ts'
import type { DocumentAnswer } from './port.ts'

/** Characters of a page that are shown. */
const SHOWN_CHARS = 100_000

/** How many turns are archived and in what state, in a line for people. */
export function describeDocuments(documents: Stats['documents']): string {
  const { all, waiting, withdrawn, distilled, configurations } = documents
  const states = [
    ...(waiting > 0 ? [`${waiting} not read yet`] : []),
    ...(withdrawn > 0 ? [`${withdrawn} whose log is gone`] : []),
    ...(distilled > 0 ? [`${distilled} distilled`] : []),
    ...(configurations === undefined ? [] : [`redacted by the rules of ${configurations} configurations in turn`]),
  ]
  return `${all} archived turns${states.length === 0 ? '' : ` (${states.join(', ')})`}`
}

/** The lines that show a document to people: where it comes from, what became of it, and its pages, or why there are none. */
export function* describeDocument(view: DocumentAnswer): Generator<string> {
  const { doc, label, namespace, title, tags, session, turn, archivedAt, event, ended, state, distilled } = view
  yield `${doc}  in ${label} (${namespace})${title === '' ? '' : `: ${title}`}`
  const place = `session ${session}${turn === null ? '' : `, turn ${turn}`}`
  yield `  archived ${shownTime(archivedAt)} by ${event}, ${place}${endOf(ended)}`
  if (tags.length > 0) yield `  tags ${tags.join(', ')}`
  if (state === 'waiting') yield '  its session log was not read yet, or is not here'
  if (state === 'withdrawn') yield '  its session log is gone, and with it the text'
  if (distilled) yield '  distilled into memories'
  yield `  looked up ${view.accesses === 1 ? 'once' : `${view.accesses} times`}`
  for (const page of view.pages) {
    const text = inOut({ ...view, ...page, title: '', pages: view.pages.length + view.withheld }, SHOWN_CHARS)
    yield `  ${text.replaceAll('\n', '\n  ')}`
  }
  if (view.withheld > 0) yield `  ${view.withheld} pages hold what was purged and are withheld`
}

/** Of a turn that stopped as most do, nothing. */
function endOf(ended: string): string {
  if (ended === 'stopping') return ''
  return ended === 'open' ? ', while it went on' : `, ended by ${ended}`
}
