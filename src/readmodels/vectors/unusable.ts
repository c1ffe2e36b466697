import type { Database } from 'better-sqlite3'
import { spaceDimension } from './centroid.ts'
import type { Fault } from './floats.ts'
import { shelvesOfSpace } from './shelves.ts'
import { findSpace } from './spaces.ts'

/** Vectors of a space, of blocks that are shown, that cannot be compared with others of it, by reason. */
export function unusableVectors(db: Database, fingerprint: string): Readonly<Partial<Record<Fault, number>>> {
  const known = findSpace(db, fingerprint)
  const dimension = spaceDimension(db, fingerprint)
  const counts: Partial<Record<Fault, number>> = {}
  for (const { kind, dim, fault, live } of known === undefined ? [] : shelvesOfSpace(db, known.space)) {
    const reason = fault !== '' ? (fault as Fault) : dim === dimension ? undefined : 'wrongDimension'
    if (kind === 'block' && reason !== undefined && live > 0) counts[reason] = (counts[reason] ?? 0) + live
  }
  return counts
}
