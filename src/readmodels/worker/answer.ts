import type { Database } from 'better-sqlite3'
import { analyseQuery } from '../analyse/index.ts'
import type { RecallAnswer, RecallHit, RecallRequest, Said } from '../port.ts'
import { recall } from '../recall/index.ts'

/** Places listed with a hit; `places` counts them all. */
const PLACES = 20

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
const SAID = `SELECT event, session, turn, seq, time, origin FROM block_sources
  WHERE ns = ? AND block = ? AND dead = 0 ORDER BY clock, event LIMIT ${PLACES}`

/** Answers a question, and says of every hit where it was said. `started` is a `performance.now()`. */
export function answerRecall(
  db: Database,
  request: RecallRequest,
  degraded: readonly string[],
  started: number,
): RecallAnswer {
  const { query, topK, offset, floor, history, within } = request
  const namespaces = namespacesOf(db, request)
  const found = recall(db, {
    query,
    namespaces,
    topK,
    ...(offset === undefined ? {} : { offset }),
    ...(floor === undefined ? {} : { floor }),
    ...(history === undefined ? {} : { history }),
    ...(within === undefined ? {} : { within }),
  })
  const block = db.prepare<[number], BlockRow>(BLOCK)
  const said = db.prepare<[number, string], Said>(SAID)
  const hits = found.hits.flatMap(({ row, ns, id, text, score, exact, why }): RecallHit[] => {
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
  return {
    hits,
    outcome: found.outcome,
    ...(found.notice === undefined ? {} : { notice: found.notice }),
    symbols: hits.some(({ exact }) => exact) ? pinning(query, hits) : [],
    counters: { ...found.counters, milliseconds: performance.now() - started },
    degraded: [...degraded, ...found.degraded],
  }
}

function namespacesOf(db: Database, { scope, namespace }: RecallRequest): number[] {
  return scope === 'all'
    ? db.prepare<[], number>('SELECT ns FROM namespaces ORDER BY ns').pluck().all()
    : db.prepare<[string], number>('SELECT ns FROM namespaces WHERE id = ?').pluck().all(namespace)
}

/** The question's symbols that the exact hits hold: only what memory has already is ever recorded of a question. */
function pinning(query: string, hits: readonly RecallHit[]): string[] {
  const exact = hits.filter(hit => hit.exact)
  return analyseQuery(query)
    .symbols.map(({ text }) => text)
    .filter(text => exact.some(hit => hit.text.includes(text)))
}
