import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import type { DocumentAnswer, DocumentHead, DocumentRequest, Page, PagePart } from './port.ts'
import { withholding } from './withheld.ts'

interface Row extends PagePart {
  readonly page: number
}

interface HeadRow {
  readonly namespace: string
  readonly label: string
  readonly title: string
  readonly tags: string
  readonly session: string
  readonly turn: number | null
  readonly archivedAt: number
  readonly event: string
  readonly ended: string
  readonly clock: number
  readonly state: DocumentAnswer['state']
}

/** The pages of a document in order, withheld ones included. */
export function readPages(db: Database, ns: number, doc: string): Page[] {
  const rows = statement(
    db,
    `SELECT e.page, e.kind, b.text_content AS text, e.tool, e.call_id AS callId, e.failed, e.message, e.time
     FROM cold_events e JOIN memory_blocks b USING (row) WHERE e.ns = ? AND e.doc = ? AND e.kind <> 'title' ORDER BY e.part`,
  ).all(ns, doc) as Array<Omit<Row, 'failed'> & { failed: number }>
  const pages = new Map<number, PagePart[]>()
  for (const { page, failed, ...part } of rows) {
    const parts = pages.get(page) ?? []
    parts.push({ ...part, failed: failed === 1 })
    pages.set(page, parts)
  }
  return Array.from(pages, ([page, parts]) => ({ doc, page, parts }))
}

export function readHead(db: Database, ns: number, doc: string): (HeadRow & { head: DocumentHead }) | undefined {
  const row = statement(
    db,
    `SELECT n.id AS namespace, n.label, title, tags, session, turn, time AS archivedAt, d.event, ended, d.clock, state
     FROM cold_docs d JOIN namespaces n USING (ns) WHERE d.ns = ? AND d.doc = ?`,
  ).get(ns, doc) as HeadRow | undefined
  if (row === undefined) return undefined
  const { namespace, title, session, turn, archivedAt, event, ended } = row
  const tags = JSON.parse(row.tags) as string[]
  return { ...row, head: { doc, namespace, title, tags, session, turn, archivedAt, event, ended } }
}

/** A whole document of the first namespace that has it. */
export function readDocument(db: Database, { namespace, doc }: DocumentRequest): DocumentAnswer | null {
  const ns = statement(
    db,
    `SELECT ns FROM cold_docs JOIN namespaces n USING (ns) WHERE doc = @doc AND (@namespace IS NULL OR n.id = @namespace)
     ORDER BY ns LIMIT 1`,
  )
    .pluck()
    .get({ doc, namespace: namespace ?? null }) as number | undefined
  return ns === undefined ? null : documentAnswer(db, ns, doc)
}

export function documentAnswer(db: Database, ns: number, doc: string): DocumentAnswer | null {
  const found = readHead(db, ns, doc)
  if (found === undefined) return null
  const all = readPages(db, ns, doc)
  const isWithheld = withholding(db, ns)
  const pages = all.filter(page => !isWithheld(page))
  return {
    ...found.head,
    title: shownTitle(found.head.title, all, isWithheld),
    label: found.label,
    clock: found.clock,
    state: found.state,
    distilled: isDistilled(db, ns, doc, found),
    accesses: accessesOf(db, ns, doc),
    pages,
    withheld: all.length - pages.length,
  }
}

/** A title is made of what the first page says, and withheld with it. */
export function shownTitle(title: string, pages: readonly Page[], isWithheld?: (page: Page) => boolean): string {
  const [first] = pages
  return first !== undefined && isWithheld?.(first) === true ? '' : title
}

/** Whether a document was distilled as it stands: one that went on afterwards is to be distilled again. */
function isDistilled(db: Database, ns: number, doc: string, at: { clock: number; event: string }): boolean {
  return (
    statement(db, 'SELECT 1 FROM cold_distilled WHERE ns = ? AND doc = ? AND (clock, event) > (?, ?)').get(
      ns,
      doc,
      at.clock,
      at.event,
    ) !== undefined
  )
}

/** Times somebody asked for a document on purpose. What is put before the model unasked does not count. */
export function accessesOf(db: Database, ns: number, doc: string): number {
  return Number(
    statement(db, "SELECT count(DISTINCT event) FROM recall_pages WHERE ns = ? AND doc = ? AND mode <> 'inject'")
      .pluck()
      .get(ns, doc),
  )
}
