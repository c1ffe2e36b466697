import type { Database } from 'better-sqlite3'
import type { LeaseRequest } from '../port.ts'
import { statement } from '../recall/statements.ts'

/**
 * Takes or prolongs a lease, or gives it back; false while another holds it. One whose holder died ends by its time. It
 * saves work and guards nothing: clocks that are set meanwhile let two do the same, which does no harm.
 */
export function lease(db: Database, { name, holder, ms }: LeaseRequest): boolean {
  if (ms <= 0) {
    statement(db, 'DELETE FROM leases WHERE name = ? AND holder = ?').run(name, holder)
    return true
  }
  const now = Date.now()
  return (
    statement(
      db,
      `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
       SET holder = excluded.holder, until = excluded.until
       WHERE holder = excluded.holder OR until <= ? OR until > ?`,
      // A lease from a future that far away was taken by a clock that was wrong.
    ).run(name, holder, now + ms, now, now + LONGEST_MS).changes > 0
  )
}

/** No lease is taken for longer, in milliseconds. */
const LONGEST_MS = 3_600_000
