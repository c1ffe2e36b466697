import type { Database } from 'better-sqlite3'
import { analyseQuery } from '../analyse/index.ts'
import { allNamespaces, namespaceNumbers } from '../audit/lookup.ts'
import { SAID } from '../audit/said.ts'
import { searchPages, withPages } from '../cold/search.ts'
import { isCorrupt } from '../database/errors.ts'
import { BY_WORDS } from '../limits.ts'
import type { NearBlock, QuestionVector, RecallAnswer, RecallHit, RecallRequest, Said } from '../port.ts'
import { shownForDropped } from '../projector/shown.ts'
import { recall, type VectorHit, visibleRows } from '../recall/index.ts'
import { supersedes } from '../supersedes.ts'
import { LEAST_RELEVANCE, type NearestAnswer, nearest, type Skipped, skippedUnembedded } from '../vectors/index.ts'

/** Vectors that are fused with the answer of words, at the least. */
const NEAR = 100

interface BlockRow {
  readonly namespace: string
  readonly source: string
  readonly scene: string
  readonly semantic_type: string
  readonly created_at: number
  readonly places: number
}

const BLOCK = `SELECT n.id AS namespace, source, scene, semantic_type, created_at,
    (SELECT count(*) FROM block_sources s WHERE s.ns = b.ns AND s.block = b.id AND dead = 0) AS places
  FROM memory_blocks b JOIN namespaces n USING (ns) WHERE row = ?`

/** Answers a question, and says of every hit where it was said. `started` is a `performance.now()`. */
export function answerRecall(
  db: Database,
  request: RecallRequest,
  degraded: readonly string[],
  started: number,
): Omit<RecallAnswer, 'clock'> {
  const { scope, namespace, near, vector, unembedded, pages, ...asked } = withShownIds(db, request)
  const namespaces = namespacesOf(db, scope, namespace)
  const close = vector && nearBlocks(db, namespaces, asked, vector)
  const uncompared = close?.skipped ?? (unembedded === true ? skippedUnembedded(db, namespaces) : {})
  const found = recall(db, {
    ...asked,
    namespaces,
    ...(near === undefined ? {} : { vectors: rowsOf(db, namespaces, near) }),
    ...(close === undefined
      ? {}
      : { vectors: close.hits.map(({ row, ns, cosine, relevance }) => ({ row, ns, similarity: cosine, relevance })) }),
    supersedes: (ns, rows) => supersedes(db, ns, rows),
  })
  const block = db.prepare<[number], BlockRow>(BLOCK)
  const said = db.prepare<[number, string], Said>(SAID)
  const hits = found.hits.flatMap(({ row, ns, id, text, score, exact, why, supersededBy }): RecallHit[] => {
    const known = block.get(row)
    if (known === undefined) return []
    const { namespace, source, scene, semantic_type, created_at, places } = known
    return [
      {
        id,
        kind: 'block',
        text,
        score,
        exact,
        why,
        ...(supersededBy !== undefined && { supersededBy }),
        namespace,
        source,
        scene,
        semanticType: semantic_type,
        createdAt: created_at,
        said: said.all(ns, id),
        places,
      },
    ]
  })
  const answer = {
    hits,
    superseded: found.superseded.map(({ id, text, by, at, reason }) => ({ id, text, by, at: at ?? null, reason })),
    outcome: found.outcome,
    ...(found.notice === undefined ? {} : { notice: found.notice }),
    ...(found.missing === undefined ? {} : { missing: found.missing }),
    symbols: hits.some(({ exact }) => exact) ? pinning(request.query, hits) : [],
    counters: {
      ...found.counters,
      skipped: { ...found.counters.skipped, ...uncompared },
      milliseconds: performance.now() - started,
    },
    degraded: [...degraded, ...found.degraded, ...(close?.degraded ?? [])],
  }
  if (pages === undefined) return { ...answer, pages: [] }
  return withPages(answer, searchPages(db, request, pages, namespaces))
}

/** What is answered where the database cannot be asked. */
export function noAnswer(reason: string, degraded: readonly string[], started: number): RecallAnswer {
  return {
    hits: [],
    pages: [],
    superseded: [],
    outcome: 'unavailable',
    notice: `Memory cannot be searched: ${reason}`,
    symbols: [],
    counters: { candidates: 0, skipped: {}, milliseconds: performance.now() - started },
    degraded,
    clock: 0,
  }
}

function namespacesOf(db: Database, scope: RecallRequest['scope'], namespace: string): number[] {
  return scope === 'all' ? allNamespaces(db) : namespaceNumbers(db, namespace)
}

/** What a session said may be shown under another id now, by a merge that it does not know of. */
function withShownIds(db: Database, request: RecallRequest): RecallRequest {
  const { within, scope, namespace } = request
  if (within === undefined) return request
  const listed = { sql: 'SELECT value FROM json_each(?)', values: [JSON.stringify(within)] }
  const others = namespacesOf(db, scope, namespace).flatMap(ns => shownForDropped(db, ns, listed))
  return others.length === 0 ? request : { ...request, within: [...new Set([...within, ...others])] }
}

type Asked = Pick<RecallRequest, 'query' | 'topK' | 'filters' | 'within'>

interface Near {
  readonly hits: NearestAnswer['hits']
  readonly skipped: Readonly<Record<string, number>>
  readonly degraded: readonly string[]
}

/** What lies near the question in its space, among what the request may see. */
function nearBlocks(
  db: Database,
  namespaces: readonly number[],
  request: Asked,
  { space, data }: QuestionVector,
): Near {
  try {
    const { hits, skipped, unusable, comparable } = search(db, namespaces, request, { space, data })
    // What is not even this near is there only because something has to be the nearest.
    const near = hits.filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
    const far = hits.length - near.length
    return {
      hits: near,
      skipped: far === 0 ? skipped : { ...skipped, notNear: far },
      degraded: unusable === undefined ? byWords(skipped, comparable) : [unusable],
    }
  } catch (error) {
    if (isCorrupt(error)) throw error
    return { hits: [], skipped: {}, degraded: [BY_WORDS.failed] }
  }
}

/** What could be compared by words alone, if anything. */
function byWords(skipped: Skipped, comparable: number): string[] {
  const reasons = Object.entries(skipped)
  if (reasons.length === 0) return []
  // By name: the order in which namespaces have numbers must not show.
  const details = reasons
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')
  return [`${comparable === 0 ? BY_WORDS.none : BY_WORDS.hybrid}: ${details}`]
}

function search(
  db: Database,
  namespaces: readonly number[],
  request: Asked,
  { space, data }: QuestionVector,
): NearestAnswer {
  const { topK, filters, within } = request
  const k = Math.max(NEAR, 4 * topK)
  if (filters === undefined && within === undefined) return nearest(db, { namespaces, space, vector: data, k })
  const size = Number(db.prepare('SELECT max(row) FROM memory_blocks').pluck().get() ?? 0) + 1
  const visible = new Map(namespaces.map(ns => [ns, visibleRows(db, ns, { ...request, namespaces }, size)]))
  // A namespace without an entry has no restriction; a row that came meanwhile is not seen.
  const allowed = (row: number, ns: number) => {
    const rows = visible.get(ns)
    return rows === undefined || rows[row] === 1
  }
  return nearest(db, { namespaces, space, vector: data, k, allowed })
}

/** Near blocks by row, in each namespace that knows their id. */
function rowsOf(db: Database, namespaces: readonly number[], near: readonly NearBlock[]): VectorHit[] {
  const find = db.prepare<[number, string], number>('SELECT row FROM memory_blocks WHERE ns = ? AND id = ?').pluck()
  return near.flatMap(({ id, similarity }) =>
    namespaces.flatMap((ns): VectorHit[] => {
      const row = find.get(ns, id)
      return row === undefined ? [] : [{ row, ns, similarity }]
    }),
  )
}

/** The question's symbols that the exact hits hold: only what memory has already is ever recorded of a question. */
function pinning(query: string, hits: readonly RecallHit[]): string[] {
  const exact = hits.filter(hit => hit.exact)
  return analyseQuery(query)
    .symbols.map(({ text }) => text)
    .filter(text => exact.some(hit => hit.text.includes(text)))
}
