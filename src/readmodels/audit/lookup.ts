import type { Database } from 'better-sqlite3'
import { isDocumentId } from '../../events/index.ts'
import { pagesHolding } from '../cold/holders.ts'
import type { EdgeRequest, KnownBlock, LookupRequest } from '../port.ts'
import { aliasTable } from '../projector/aliases.ts'
import { shownNames } from '../projector/shown.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'

/** What is known of ids: whether each lives, what stands for it, and which other ids mean the same. A document stands for itself. */
export function lookup(db: Database, { namespace, ids, documents, pages }: LookupRequest): KnownBlock[] {
  const places = namespace === undefined ? allNamespaces(db) : namespaceNumbers(db, namespace)
  const aliases = aliasTable(db)
  const lives = db
    .prepare<[number, string], number>(
      'SELECT 1 FROM memory_blocks WHERE ns = ? AND id IN (SELECT value FROM json_each(?)) LIMIT 1',
    )
    .pluck()
  const buried = db
    .prepare<[number, string], number>(`SELECT 1 FROM tombstones WHERE ns IN (${EVERYWHERE}, ?) AND block = ?`)
    .pluck()
  const archived = db.prepare<[number, string], number>('SELECT 1 FROM cold_docs WHERE ns = ? AND doc = ?').pluck()
  const found = ids.map(id => {
    if (documents === true && isDocumentId(id)) {
      const state = places.some(ns => archived.get(ns, id) !== undefined) ? 'living' : 'unknown'
      return { known: { id, state, representative: id, family: [id] } as const, families: [] }
    }
    const families = places.map(ns => ({ ns, family: aliases.family(ns, id) }))
    const living = families.find(({ ns, family }) => lives.get(ns, JSON.stringify(family)) !== undefined)
    const state =
      living !== undefined ? 'living' : places.some(ns => buried.get(ns, id) !== undefined) ? 'purged' : 'unknown'
    const family = [...new Set(families.flatMap(found => found.family))]
    const representative = (living ?? families[0])?.family[0] ?? id
    return { known: { id, state, representative, family } as const, families }
  })
  if (pages !== true) return found.map(({ known }) => known)
  // Each namespace is looked through once, whatever the number of blocks.
  const holding = new Map(
    places.map(ns => {
      const inNs = found.flatMap(({ families }) => families.filter(one => one.ns === ns))
      return [ns, pagesHolding(db, ns, [...new Set(inNs.flatMap(({ family }) => family))])] as const
    }),
  )
  return found.map(({ known, families }) => ({
    ...known,
    pages: families.flatMap(({ ns, family }) => family.flatMap(one => holding.get(ns)?.get(one) ?? [])),
  }))
}

/** Whether there is an edge now, under any ids of its ends. */
export function tied(db: Database, request: EdgeRequest): boolean {
  const { namespace, sourceKind, sourceId, targetKind, targetId, type } = request
  const shown = shownNames(db, aliasTable(db))
  const edge = db
    .prepare<[number, string, string, string, string, string], number>(
      `SELECT 1 FROM memory_block_edges WHERE ns = ? AND source_kind = ? AND source_id = ? AND target_kind = ?
         AND target_id = ? AND type = ? AND status = 'active'`,
    )
    .pluck()
  return namespaceNumbers(db, namespace).some(ns => {
    const [from, to] = [
      sourceKind === 'block' ? shown(ns).of(sourceId) : sourceId,
      targetKind === 'block' ? shown(ns).of(targetId) : targetId,
    ]
    return edge.get(ns, sourceKind, from, targetKind, to, type) !== undefined
  })
}

export function namespaceNumbers(db: Database, id: string): number[] {
  return db.prepare<[string], number>('SELECT ns FROM namespaces WHERE id = ?').pluck().all(id)
}

export function allNamespaces(db: Database): number[] {
  return db.prepare<[], number>('SELECT ns FROM namespaces ORDER BY ns').pluck().all()
}
