import type { Database } from 'better-sqlite3'
import type { HistoryRequest } from '../port.ts'
import { aliasTable } from '../projector/aliases.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'
import { allNamespaces, namespaceNumbers } from './lookup.ts'
import type { BlockEdge, BlockView, Said } from './port.ts'
import { replacements } from './replacements.ts'
import { SAID } from './said.ts'

interface Row {
  readonly text: string
  readonly source: string
  readonly scene: string
  readonly semanticType: string
  readonly createdAt: number
  readonly places: number
}

const BLOCK = `SELECT text_content AS text, source, scene, semantic_type AS semanticType, created_at AS createdAt,
    (SELECT count(*) FROM block_sources s WHERE s.ns = b.ns AND s.block = b.id AND dead = 0) AS places
  FROM memory_blocks b WHERE ns = ? AND id = ?`
const EDGES = `SELECT source_kind AS sourceKind, source_id AS sourceId, type, target_kind AS targetKind,
    target_id AS targetId, confidence FROM memory_block_edges
  WHERE ns = @ns AND status = 'active'
    AND ((source_kind = 'block' AND source_id = @id) OR (target_kind = 'block' AND target_id = @id))
  ORDER BY created_at, source_id, type, target_id`
const SPACES = `SELECT DISTINCT s.fingerprint FROM vectors v JOIN vector_spaces s USING (space)
  WHERE v.ns = ? AND v.kind = 'block' AND v.target = ? AND v.fault = '' ORDER BY s.fingerprint`

/** A block as it is now, in each namespace that has it or had it, under whichever of its ids it is asked for. */
export function show(db: Database, { namespace, id }: HistoryRequest): BlockView[] {
  const aliases = aliasTable(db)
  const block = db.prepare<[number, string], Row>(BLOCK)
  const said = db.prepare<[number, string], Said>(SAID)
  const edges = db.prepare<[{ ns: number; id: string }], BlockEdge>(EDGES)
  const spaces = db.prepare<[number, string], string>(SPACES).pluck()
  const place = db.prepare<[number], { id: string; label: string }>('SELECT id, label FROM namespaces WHERE ns = ?')
  const had = db
    .prepare<[string, number, number, string], number>(
      `SELECT 1 FROM block_sources s WHERE s.block = ? AND s.ns = ?
         AND EXISTS (SELECT 1 FROM tombstones t WHERE t.ns IN (${EVERYWHERE}, ?) AND t.block = ?)`,
    )
    .pluck()
  return (namespace === undefined ? allNamespaces(db) : namespaceNumbers(db, namespace)).flatMap((ns): BlockView[] => {
    const ids = aliases.family(ns, id)
    // The representative of a merge may have been said nowhere, or purged, while another of its ids lives.
    const current = ids.find(one => block.get(ns, one) !== undefined)
    const { id: where = '', label = '' } = place.get(ns) ?? {}
    const common = { ids, namespace: where, label }
    if (current === undefined) {
      const purged = ids.some(one => had.get(one, ns, ns, one) !== undefined)
      return purged ? [{ id, ...common, state: 'purged', text: null, ...NOTHING }] : []
    }
    const row = block.get(ns, current)
    if (row === undefined) return []
    return [
      {
        id: current,
        ...common,
        state: 'living',
        ...row,
        said: said.all(ns, current),
        edges: edges.all({ ns, id: current }),
        spaces: spaces.all(ns, current),
        replacements: replacements(db, ns, current),
      },
    ]
  })
}

const NOTHING = {
  source: '',
  scene: '',
  semanticType: '',
  createdAt: null,
  said: [],
  places: 0,
  edges: [],
  spaces: [],
  replacements: [],
} as const
