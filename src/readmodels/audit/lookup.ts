import type { Database } from 'better-sqlite3'
import { pagesHolding } from '../cold/holders.ts'
import type { KnownBlock, LookupRequest } from '../port.ts'
import { aliasTable } from '../projector/aliases.ts'
import { EVERYWHERE } from '../projector/tombstones.ts'

/** What is known of block ids: whether each lives, what stands for it, and which other ids mean the same. */
export function lookup(db: Database, { namespace, ids, pages }: LookupRequest): KnownBlock[] {
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
  return ids.map(id => {
    const families = places.map(ns => ({ ns, family: aliases.family(ns, id) }))
    const living = families.find(({ ns, family }) => lives.get(ns, JSON.stringify(family)) !== undefined)
    const state =
      living !== undefined ? 'living' : places.some(ns => buried.get(ns, id) !== undefined) ? 'purged' : 'unknown'
    const family = [...new Set(families.flatMap(found => found.family))]
    const representative = (living ?? families[0])?.family[0] ?? id
    if (pages !== true) return { id, state, representative, family }
    const holding = families.flatMap(({ ns, family: ids }) => ids.flatMap(one => pagesHolding(db, ns, one)))
    return { id, state, representative, family, pages: holding }
  })
}

export function namespaceNumbers(db: Database, id: string): number[] {
  return db.prepare<[string], number>('SELECT ns FROM namespaces WHERE id = ?').pluck().all(id)
}

export function allNamespaces(db: Database): number[] {
  return db.prepare<[], number>('SELECT ns FROM namespaces ORDER BY ns').pluck().all()
}
