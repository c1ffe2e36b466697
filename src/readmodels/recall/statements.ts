import type { Database, Statement } from 'better-sqlite3'

const prepared = new WeakMap<Database, Map<string, Statement<unknown[]>>>()

/** A prepared statement of one connection, prepared once. */
export function statement(db: Database, sql: string): Statement<unknown[]> {
  let ofDb = prepared.get(db)
  if (ofDb === undefined) {
    ofDb = new Map()
    prepared.set(db, ofDb)
  }
  let made = ofDb.get(sql)
  if (made === undefined) {
    made = db.prepare<unknown[]>(sql)
    ofDb.set(sql, made)
  }
  return made
}
