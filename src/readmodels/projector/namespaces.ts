import type { Database } from 'better-sqlite3'
import { compareOrder, type Namespace, type Order } from '../../events/index.ts'

interface Row {
  readonly ns: number
  readonly label: string
  readonly clock: number
  readonly event: string
}

/** Namespace ids and their numbers in this file. The label is the one said last, in event order. */
export function namespaceTable(db: Database) {
  const find = db.prepare<[string], Row>('SELECT ns, label, clock, event FROM namespaces WHERE id = ?')
  const insert = db.prepare('INSERT INTO namespaces (id, label, clock, event) VALUES (?, ?, ?, ?)')
  const update = db.prepare('UPDATE namespaces SET label = ?, clock = ?, event = ? WHERE ns = ?')
  /** Rows as they will be, while updates are put off. */
  let held: Map<string, Row> | undefined

  const write = ({ ns, label, clock, event }: Row): void => {
    update.run(label, clock, event, ns)
  }

  return {
    find: (id: string): number | undefined => find.get(id)?.ns,

    /** The number of a namespace, given one if it is new. */
    resolve({ id, label }: Namespace, order: Order): number {
      const row = held?.get(id) ?? find.get(id)
      const now = { label, clock: order.clock, event: order.id }
      if (row === undefined) return Number(insert.run(id, label, order.clock, order.id).lastInsertRowid)
      // Also where the label stays: an event between the two must not win over the one that says it again.
      if (compareOrder({ clock: row.clock, id: row.event }, order) < 0) {
        if (held === undefined) write({ ns: row.ns, ...now })
        else held.set(id, { ns: row.ns, ...now })
      }
      return row.ns
    },

    /** Runs with updates put off to its end, each namespace once. To be called inside a transaction. */
    together<T>(run: () => T): T {
      const rows = new Map<string, Row>()
      held = rows
      try {
        const result = run()
        for (const row of rows.values()) write(row)
        return result
      } finally {
        held = undefined
      }
    },
  }
}
