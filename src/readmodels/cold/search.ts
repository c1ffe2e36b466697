import type { Database } from 'better-sqlite3'
import { canonicalText } from '../../events/index.ts'
import { isCorrupt } from '../database/errors.ts'
import type { QuestionVector, RecallAnswer, RecallRequest } from '../port.ts'
import { type RecallRequest as IndexRequest, type RecallHit, recall, type VectorHit } from '../recall/index.ts'
import { statement } from '../recall/statements.ts'
import { LEAST_RELEVANCE, nearest } from '../vectors/index.ts'
import type { DocumentHead, PageHit, PagesRequest } from './port.ts'
import { countPages, readHead, readPages, shownHead } from './read.ts'
import { pagesOf } from './schema.ts'
import { type Withholding, withholding } from './withheld.ts'

/** Parts looked at for each page asked for: a page has several, and some pages are withheld. */
const PARTS_A_PAGE = 8
const MOST_PAGES = 50

export interface FoundPages {
  readonly pages: readonly PageHit[]
  readonly degraded: readonly string[]
  readonly skipped: Readonly<Record<string, number>>
}

const NONE: FoundPages = { pages: [], degraded: [], skipped: {} }

interface PartRow {
  readonly ns: number
  readonly doc: string
  readonly page: number
  readonly kind: string
}

/**
 * Pages of cold documents that answer a question: the index ranks their parts as it ranks blocks, and a page stands
 * where the best of its parts does. Whole pages only, without those that recall must withhold.
 *
 * @param namespaces numbers that the request may see
 */
export function searchPages(
  db: Database,
  request: RecallRequest,
  asked: PagesRequest,
  namespaces: readonly number[],
): FoundPages {
  const { filters = {} } = request
  const topK = Math.min(MOST_PAGES, Math.max(0, Math.floor(asked.topK)))
  // A page has no scene, type or source of its own: a question for one asks for blocks.
  if (topK === 0 || filters.scene !== undefined || filters.semanticType !== undefined || filters.source !== undefined)
    return NONE
  const held = namespaces.filter(ns => statement(db, 'SELECT 1 FROM cold_events WHERE ns = ? LIMIT 1').get(ns))
  if (held.length === 0) return NONE
  const allowed = partsWithin(db, held, asked.within, filters.session)
  const near = nearParts(db, held, request.vector, topK * PARTS_A_PAGE)
  const found = recall(db, { ...indexRequest(request, held, topK * PARTS_A_PAGE, allowed), ...near })
  const seen = new Set<string>()
  const questions = new Set([request.query, ...(request.alsoAsk ?? [])].map(canonicalText))
  const pages: PageHit[] = []
  const withheldIn = new Map<number, Withholding>()
  const heads = new Map<string, DocumentHead | undefined>()
  let withheld = 0
  for (const hit of found.hits) {
    if (pages.length >= topK) break
    const part = partOf(db, hit)
    // That the same was asked before is no answer.
    if (part === undefined || questions.has(canonicalText(hit.text))) continue
    const key = `${part.ns} ${part.doc} ${part.page}`
    if (seen.has(key)) continue
    const within = withheldIn.get(part.ns) ?? withholding(db, part.ns)
    withheldIn.set(part.ns, within)
    const document = `${part.ns} ${part.doc}`
    const head = heads.has(document) ? heads.get(document) : headOf(db, part, within)
    heads.set(document, head)
    // What was found by a title that is withheld was not found: the reason would quote it.
    if (head === undefined || (part.kind === 'title' && head.title === '')) continue
    seen.add(key)
    const [page] = readPages(db, part.ns, part.doc, part.page)
    if (page === undefined) continue
    const { score, exact, why } = hit
    if (within.page(page)) withheld += 1
    else pages.push({ ...head, ...page, score, exact, why, pages: countPages(db, part.ns, part.doc) })
  }
  return { pages, degraded: found.degraded, skipped: withheld === 0 ? {} : { withheld } }
}

function indexRequest(
  { query, alsoAsk, floor, filters }: RecallRequest,
  namespaces: readonly number[],
  topK: number,
  within: readonly string[] | undefined,
): IndexRequest {
  const { from, to } = filters ?? {}
  return {
    query,
    namespaces: namespaces.map(pagesOf),
    topK,
    ...(alsoAsk === undefined ? {} : { alsoAsk }),
    ...(floor === undefined ? {} : { floor }),
    ...(within === undefined ? {} : { within }),
    ...(from === undefined && to === undefined
      ? {}
      : { filters: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) } }),
  }
}

/**
 * The first parts of the documents whose vectors lie near the question. Where vectors cannot be searched, words alone have
 * to do: that is told of blocks already.
 */
function nearParts(
  db: Database,
  namespaces: readonly number[],
  vector: QuestionVector | undefined,
  k: number,
): { readonly vectors?: readonly VectorHit[] } {
  if (vector === undefined) return {}
  const first = statement(db, 'SELECT row FROM cold_events WHERE ns = ? AND doc = ? AND part = 0').pluck()
  try {
    const { hits } = nearest(db, { namespaces, space: vector.space, vector: vector.data, k, kind: 'document' })
    const vectors = hits
      .filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
      .flatMap(({ ns, id, cosine, relevance }): VectorHit[] => {
        const row = first.get(ns, id) as number | undefined
        return row === undefined ? [] : [{ row, ns: pagesOf(ns), similarity: cosine, relevance }]
      })
    return { vectors }
  } catch (error) {
    if (isCorrupt(error)) throw error
    return {}
  }
}

/** Ids of the parts of the documents that may be seen; `undefined` when all may. */
function partsWithin(
  db: Database,
  namespaces: readonly number[],
  within: readonly string[] | undefined,
  session: string | undefined,
): string[] | undefined {
  if (within === undefined && session === undefined) return undefined
  return statement(
    db,
    `SELECT e.doc || '#' || e.part FROM cold_events e JOIN cold_docs d USING (ns, doc)
     WHERE e.ns IN (SELECT value FROM json_each(@namespaces))
       AND (@within IS NULL OR e.doc IN (SELECT value FROM json_each(@within)))
       AND (@session IS NULL OR d.session = @session)`,
  )
    .pluck()
    .all({
      namespaces: JSON.stringify(namespaces),
      within: within === undefined ? null : JSON.stringify(within),
      session: session ?? null,
    }) as string[]
}

function partOf(db: Database, { row }: RecallHit): PartRow | undefined {
  return statement(db, 'SELECT ns, doc, page, kind FROM cold_events WHERE row = ?').get(row) as PartRow | undefined
}

function headOf(db: Database, { ns, doc }: PartRow, withheld: Withholding): DocumentHead | undefined {
  const found = readHead(db, ns, doc)
  return found && shownHead(db, ns, found, withheld)
}

/** An answer with pages beside its hits. What blocks do not hold may still have been said. */
export function withPages<A extends Omit<RecallAnswer, 'clock' | 'pages'>>(
  answer: A,
  { pages, degraded, skipped }: FoundPages,
): A & Pick<RecallAnswer, 'pages'> {
  if (pages.length === 0 && degraded.length === 0 && Object.keys(skipped).length === 0) return { ...answer, pages }
  const { notice, ...rest } = answer
  const answered = answer.hits.length > 0 || pages.length === 0
  return {
    ...(answered ? answer : { ...rest, outcome: 'hits' as const }),
    pages,
    degraded: [...answer.degraded, ...degraded],
    counters: { ...answer.counters, skipped: { ...answer.counters.skipped, ...skipped } },
  } as A & Pick<RecallAnswer, 'pages'>
}
