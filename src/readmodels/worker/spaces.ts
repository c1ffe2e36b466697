import type { Database } from 'better-sqlite3'
import { allNamespaces } from '../audit/lookup.ts'
import { PAGES } from '../cold/schema.ts'
import type { SpaceStats } from '../port.ts'
import { nearest, spaceDimension, unusableVectors } from '../vectors/index.ts'

/** What there is of each space of vectors, by fingerprint. */
export function spaceStats(db: Database): SpaceStats[] {
  const shown = Number(
    db.prepare(`SELECT count(*) FROM memory_blocks WHERE inactive = 0 AND ns < ${PAGES}`).pluck().get(),
  )
  return db
    .prepare<[], { fingerprint: string; vectors: number; covered: number }>(
      `SELECT s.fingerprint, count(v.vector) AS vectors,
         count(CASE WHEN v.fault = '' AND v.row IS NOT NULL AND v.kind = 'block' THEN 1 END) AS covered
       FROM vector_spaces s LEFT JOIN vectors v ON v.space = s.space GROUP BY s.space ORDER BY s.fingerprint`,
    )
    .all()
    .map(({ fingerprint, vectors, covered }) => ({
      fingerprint,
      dimension: spaceDimension(db, fingerprint),
      vectors,
      missing: Math.max(0, shown - covered),
      unusable: unusableVectors(db, fingerprint),
    }))
}

/** Asks each space one question that nobody waits for: what it has to load is loaded then. */
export function warmVectors(db: Database): void {
  for (const { fingerprint, dimension } of spaceStats(db)) {
    if (dimension === null) continue
    const vector = new Float32Array(dimension).fill(1)
    nearest(db, { namespaces: allNamespaces(db), space: fingerprint, vector, k: 1 })
  }
}
