import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { encode } from './code/encode.ts'
import { readFloats, writeFloats } from './floats.ts'
import { CENTRE_DRIFT } from './settings.ts'
import { clearAway, isCoded, shelvesOfSpace } from './shelves.ts'

/**
 * Sets the point that the codes of a space are measured from, and makes them anew, where it has moved far enough to
 * matter. Codes only choose what is compared exactly, so a centre that is a little off costs a little recall and nothing
 * else. About 20 µs a vector.
 */
export function moveCentre(db: Database, space: number, centre: Float32Array | undefined): void {
  const bytes = statement(db, 'SELECT centre FROM vector_spaces WHERE space = ?').pluck().get(space) as Buffer | null
  const before = bytes === null ? undefined : readFloats(bytes)
  if (distance(before, centre) <= CENTRE_DRIFT) return
  statement(db, 'UPDATE vector_spaces SET centre = ? WHERE space = ?').run(
    centre === undefined ? null : writeFloats(centre),
    space,
  )
  const read = statement(db, 'SELECT data FROM vectors WHERE vector = ?').pluck()
  const recode = statement(db, 'UPDATE vector_codes SET code = ? WHERE shelf = ? AND serial = ?')
  for (const { shelf, dim, fault } of shelvesOfSpace(db, space)) {
    if (fault !== '' || !isCoded(dim)) continue
    clearAway(db, shelf)
    const listed = statement(db, 'SELECT serial, vector FROM vector_codes WHERE shelf = ?').raw().all(shelf) as [
      serial: number,
      vector: number,
    ][]
    for (const [serial, vector] of listed) {
      const values = readFloats(read.get(vector) as Buffer)
      recode.run(encode(values, centre?.length === dim ? centre : undefined), shelf, serial)
    }
  }
}

/** How far two centres lie apart; none and one are always too far apart. */
function distance(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : Number.POSITIVE_INFINITY
  if (a.length !== b.length) return Number.POSITIVE_INFINITY
  return Math.sqrt(a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0))
}
