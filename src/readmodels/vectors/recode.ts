import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { encode } from './code/encode.ts'
import { readFloats, writeFloats } from './floats.ts'
import { clearAway, isCoded, shelvesOfSpace } from './shelves.ts'
import { codeCentre } from './spaces.ts'

/** Codes made anew in one transaction: about 10 ms. */
const BATCH = 500

/**
 * Sets the point that the codes of a space are measured from. Codes made from now on are measured from it; those that are
 * there are marked, and made anew by `recodeSteps`. To be called in a transaction.
 */
export function setCodeCentre(db: Database, space: number, centre: Float32Array | undefined): void {
  const bytes = centre === undefined ? null : writeFloats(centre)
  const before = statement(db, 'SELECT centre FROM vector_spaces WHERE space = ?').pluck().get(space) as Buffer | null
  if (before === null ? bytes === null : bytes !== null && before.equals(bytes)) return
  statement(db, 'UPDATE vector_spaces SET centre = ? WHERE space = ?').run(bytes, space)
  statement(db, "UPDATE vector_shelves SET recode = top WHERE space = ? AND fault = ''").run(space)
}

/** Whether a space has codes that are measured from an earlier centre. */
export function isRecoding(db: Database, space: number): boolean {
  const found = statement(db, 'SELECT 1 FROM vector_shelves WHERE space = ? AND recode > 0 LIMIT 1').get(space)
  return found !== undefined
}

/**
 * Makes marked codes anew, some in a transaction, and yields after each. It can be left at any time and goes on where it
 * was. Questions are answered meanwhile: codes only choose what is compared exactly, and copies in memory stay as they were
 * until the last one is made.
 */
export function* recodeSteps(db: Database, space: number): Generator<void> {
  for (const { shelf, dim } of shelvesOfSpace(db, space)) {
    while (recodeSome(db, space, shelf, dim)) yield
  }
}

/** Returns whether anything of the shelf is left to be done. */
function recodeSome(db: Database, space: number, shelf: number, dim: number): boolean {
  const run = db.transaction((): boolean => {
    const upto = Number(statement(db, 'SELECT recode FROM vector_shelves WHERE shelf = ?').pluck().get(shelf) ?? 0)
    if (upto === 0) return false
    const centre = codeCentre(db, space, dim)
    const some = (
      isCoded(dim)
        ? statement(
            db,
            `SELECT c.serial, v.data FROM vector_codes c JOIN vectors v USING (vector)
             WHERE c.shelf = ? AND c.serial <= ? AND c.code IS NOT NULL ORDER BY c.serial DESC LIMIT ${BATCH}`,
          ).all(shelf, upto)
        : []
    ) as { serial: number; data: Buffer }[]
    const write = statement(db, 'UPDATE vector_codes SET code = ? WHERE shelf = ? AND serial = ?')
    for (const { serial, data } of some) write.run(encode(readFloats(data), centre), shelf, serial)
    const last = some.at(-1)
    const left = some.length < BATCH || last === undefined ? 0 : last.serial - 1
    statement(db, 'UPDATE vector_shelves SET recode = ? WHERE shelf = ?').run(left, shelf)
    if (left > 0) return true
    clearAway(db, shelf)
    return false
  })
  return db.inTransaction ? run() : run.immediate()
}
