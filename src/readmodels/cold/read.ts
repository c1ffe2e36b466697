import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import type { DocumentAnswer, DocumentHead, DocumentRequest, Page, PagePart } from './port.ts'
import { type Withholding, withholding } from './withheld.ts'

interface Row extends PagePart {
  readonly page: number
}

interface HeadRow {
  readonly namespace: string
  readonly label: string
  readonly title: string
  readonly tags: string
  readonly named: number
  readonly session: string
  readonly turn: number | null
  readonly archivedAt: number
  readonly event: string
  readonly ended: string
  readonly clock: number
  readonly state: DocumentAnswer['state']
}

/** The pages of a document in order, or one of them, withheld ones included. */
export function readPages(db: Database, ns: number, doc: string, only?: number): Page[] {
  const rows = statement(
    db,
    `SELECT e.page, e.kind, b.text_content AS text, e.tool, e.call_id AS callId, e.failed, e.message, e.time
     FROM cold_events e JOIN memory_blocks b USING (row)
     WHERE e.ns = @ns AND e.doc = @doc AND (@only IS NULL OR e.page = @only) AND e.kind <> 'title' ORDER BY e.part`,
  ).all({ ns, doc, only: only ?? null }) as Array<Omit<Row, 'failed'> & { failed: number }>
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
    `SELECT n.id AS namespace, n.label, title, tags, named, session, turn, time AS archivedAt, d.event, ended, d.clock, state
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
  const withheld = withholding(db, ns)
  const pages = all.filter(page => !withheld.page(page))
  return {
    ...shownHead(db, ns, found, withheld),
    label: found.label,
    clock: found.clock,
    state: found.state,
    distilled: isDistilled(db, ns, doc, found),
    accesses: accessesOf(db, doc),
    pages,
    withheld: all.length - pages.length,
  }
}

/**
 * Where a document comes from, without title and tags where these may say what is withheld. A title that was found is made of
 * the human's first words; one that was chosen may be made of any page.
 */
export function shownHead(
  db: Database,
  ns: number,
  { head, named }: { readonly head: DocumentHead; readonly named: number },
  withheld: Withholding,
): DocumentHead {
  if (!withheld.any) return head
  const pages = named === 1 ? readPages(db, ns, head.doc) : readPages(db, ns, head.doc, firstSpoken(db, ns, head.doc))
  const hides = pages.some(page => withheld.page(page)) || [head.title, ...head.tags].some(withheld.text)
  return hides ? { ...head, title: '', tags: [] } : head
}

/** The page on which the human first speaks. */
function firstSpoken(db: Database, ns: number, doc: string): number {
  const page = statement(
    db,
    "SELECT page FROM cold_events WHERE ns = ? AND doc = ? AND kind = 'user' ORDER BY part LIMIT 1",
  ).pluck()
  return (page.get(ns, doc) as number | undefined) ?? 0
}

/** How many pages a document has. */
export function countPages(db: Database, ns: number, doc: string): number {
  const count = statement(
    db,
    "SELECT count(DISTINCT page) FROM cold_events WHERE ns = ? AND doc = ? AND kind <> 'title'",
  )
  return Number(count.pluck().get(ns, doc))
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

/** Times somebody asked for a document on purpose, from whichever project. What is put before the model unasked does not count. */
export function accessesOf(db: Database, doc: string): number {
  return Number(
    statement(db, "SELECT count(DISTINCT event) FROM recall_pages WHERE doc = ? AND mode <> 'inject'").pluck().get(doc),
  )
}
