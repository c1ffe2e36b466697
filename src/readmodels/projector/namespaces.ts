import type { Database } from 'better-sqlite3'
import { compareOrder, type Namespace, type Order } from '../../events/index.ts'

interface Row {
  readonly ns: number
  readonly clock: number
  readonly event: string
}

/** Namespace ids and their numbers in this file. The label is the one said last, in event order. */
export function namespaceTable(db: Database) {
  const find = db.prepare<[string], Row>('SELECT ns, clock, event FROM namespaces WHERE id = ?')
  const insert = db.prepare('INSERT INTO namespaces (id, label, clock, event) VALUES (?, ?, ?, ?)')
  const update = db.prepare('UPDATE namespaces SET label = ?, clock = ?, event = ? WHERE ns = ?')
  return {
    find: (id: string): number | undefined => find.get(id)?.ns,
    /** The number of a namespace, given one if it is new. */
    resolve(namespace: Namespace, order: Order): number {
      const row = find.get(namespace.id)
      if (row === undefined) {
        return Number(insert.run(namespace.id, namespace.label, order.clock, order.id).lastInsertRowid)
      }
      // Also where the label stays: an event between the two must not win over the one that says it again.
      if (compareOrder({ clock: row.clock, id: row.event }, order) < 0) {
        update.run(namespace.label, order.clock, order.id, row.ns)
      }
      return row.ns
    },
  }
}
