import type { Database } from 'better-sqlite3'
import { type Aliases, aliasTable, familyOf, type Kin } from './aliases.ts'
import { EVERYWHERE } from './tombstones.ts'

/** Under which id a block is shown in one namespace. What was found is kept, so make one for each act. */
export interface ShownNames {
  /**
   * The id that is shown for `id`: the one that stands for it, where that lives. A merge in every namespace, or a purge,
   * leaves families whose representative is not there: then a living id is shown as itself, and for one that does not
   * live the first of its family that does.
   */
  of(id: string): string
  /** Every id that is shown as this one. */
  all(shown: string): string[]
}

export function shownNames(db: Database, aliases: Pick<Aliases, 'kin'>) {
  const living = db
    .prepare<[number, string], string>(
      'SELECT id FROM memory_blocks WHERE ns = ? AND id IN (SELECT value FROM json_each(?))',
    )
    .pluck()

  return (ns: number): ShownNames => {
    const kins = new Map<string, { readonly kin: Kin; readonly lives: ReadonlySet<string> }>()
    /** What stands in for a representative that does not live. */
    const standIns = new Map<string, string>()
    const kinOf = (id: string) => {
      const known = kins.get(id)
      if (known !== undefined) return known
      const kin = aliases.kin(ns, id)
      const found = { kin, lives: new Set(kin.ids.length === 1 ? [] : living.all(ns, JSON.stringify(kin.ids))) }
      for (const one of kin.ids) kins.set(one, found)
      return found
    }
    const of = (id: string): string => {
      const { kin, lives } = kinOf(id)
      const representative = kin.representative(id)
      if (kin.ids.length === 1 || lives.has(representative)) return representative
      if (lives.has(id)) return id
      const standIn = standIns.get(representative) ?? familyOf(kin, id).find(one => lives.has(one)) ?? representative
      standIns.set(representative, standIn)
      return standIn
    }
    const families = new Map<string, string[]>()
    return {
      of,
      all: id => {
        const known = families.get(id)
        if (known !== undefined) return known
        const { kin } = kinOf(id)
        const found = kin.ids.length === 1 ? [id] : familyOf(kin, id).filter(one => of(one) === id)
        families.set(id, found)
        return found
      },
    }
  }
}

/**
 * Under which ids those of some blocks are shown that merges dropped. Mostly none were.
 *
 * @param listed SQL that lists ids of blocks, and the values of its parameters
 */
export function shownForDropped(
  db: Database,
  ns: number,
  listed: { readonly sql: string; readonly values: readonly unknown[] },
): string[] {
  const dropped = db
    .prepare<unknown[], string>(
      `SELECT DISTINCT dropped FROM merges WHERE ns IN (${EVERYWHERE}, ?) AND dropped IN (${listed.sql})`,
    )
    .pluck()
    .all(ns, ...listed.values)
  if (dropped.length === 0) return []
  const names = shownNames(db, aliasTable(db))(ns)
  return [...new Set(dropped.map(id => names.of(id)))]
}
