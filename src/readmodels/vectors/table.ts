import type { Database } from 'better-sqlite3'
import { compareOrder, type Order } from '../../events/index.ts'
import { touchCentroid } from './centroid.ts'
import { encode } from './code/encode.ts'
import { faultOf, readFloats } from './floats.ts'
import { account } from './mean.ts'
import { isCoded, putIn, shelfNumber, type TargetKind, takeOut } from './shelves.ts'
import { codeCentre, spaceNumber } from './spaces.ts'
import { later } from './standing.ts'

/** What a vector is of. */
export interface Target {
  readonly ns: number
  readonly kind: TargetKind
  readonly id: string
}

/** A vector as an event brings it. */
export interface BroughtVector extends Order {
  readonly fingerprint: string
  /** base64 of float32, little-endian. */
  readonly data: string
  /** Brought by what nobody asked for, so that a purge keeps it away for good. */
  readonly captured: boolean
}

/** An event that brought a block a vector on its own. */
export interface EmbedNote {
  readonly ns: number
  readonly block: string
  readonly event: string
  /** Fingerprint. */
  readonly space: string
  /** Unix milliseconds. */
  readonly time: number
}

interface Row {
  readonly vector: number
  readonly space: number
  readonly captured: number
  readonly fault: string
  readonly clock: number
  readonly event: string
  readonly shelf: number | null
  readonly serial: number | null
  readonly row: number | null
}

const NO_CODE = new Uint8Array(0)

/** The vectors that events bring, and which of them can be found now. */
export function vectorTable(db: Database) {
  const ofTarget = db.prepare<[number, string, string], Row>(
    `SELECT vector, space, captured, fault, clock, event, shelf, serial, row
     FROM vectors WHERE ns = ? AND kind = ? AND target = ?`,
  )
  const insert = db.prepare(
    `INSERT INTO vectors (ns, kind, target, space, captured, fault, clock, event, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertNote = db.prepare(
    'INSERT OR IGNORE INTO embed_events (ns, block, event, space, time) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = db.prepare('DELETE FROM vectors WHERE vector = ?')
  const readData = db.prepare<[number], Buffer>('SELECT data FROM vectors WHERE vector = ?').pluck()
  const setListed = db.prepare('UPDATE vectors SET shelf = ?, serial = ?, row = ? WHERE vector = ?')
  const count = db.prepare(`INSERT INTO vector_targets (ns, kind, count) VALUES (@ns, @kind, @by)
    ON CONFLICT (ns, kind) DO UPDATE SET count = count + @by`)
  const shownRow = db
    .prepare<[number, string], number>('SELECT row FROM memory_blocks WHERE ns = ? AND id = ? AND inactive = 0')
    .pluck()
  const namespaces = db
    .prepare<[string], number>("SELECT DISTINCT ns FROM vectors WHERE target = ? AND kind = 'block'")
    .pluck()
  const all = ({ ns, kind, id }: Target): Row[] => ofTarget.all(ns, kind, id)
  const any = db.prepare<[], number>('SELECT 1 FROM vectors LIMIT 1').pluck()

  /** Tells the sum and the centroid of its space of a vector that comes (1) or goes (−1). */
  const tell = (row: Row, values: Float32Array, times: 1 | -1): void => {
    account(db, row.space, values, times)
    touchCentroid(db, row.space, standing(row))
  }

  const unlist = (row: Row): void => {
    const { vector, shelf, serial, fault } = row
    if (shelf === null || serial === null) return
    if (fault === '') {
      takeOut(db, shelf, serial, vector)
      tell(row, readFloats(readData.get(vector) ?? NO_CODE), -1)
    } else db.prepare('UPDATE vector_shelves SET live = live - 1 WHERE shelf = ?').run(shelf)
    setListed.run(null, null, null, vector)
  }

  const list = ({ ns, kind }: Target, entry: Row, row: number): void => {
    const { vector, space, fault } = entry
    const data = readData.get(vector) ?? Buffer.alloc(0)
    const dim = data.length >>> 2
    const shelf = shelfNumber(db, { ns, kind, space, dim, fault })
    if (fault !== '') {
      db.prepare('UPDATE vector_shelves SET live = live + 1 WHERE shelf = ?').run(shelf)
      setListed.run(shelf, 0, row, vector)
      return
    }
    const values = readFloats(data)
    tell(entry, values, 1)
    const code = isCoded(dim) ? encode(values, codeCentre(db, space, dim)) : NO_CODE
    setListed.run(shelf, putIn(db, shelf, vector, row, code), row, vector)
  }

  /** Brings what can be found of a target to what it is now; `had` tells whether any of it could be found before. */
  const settle = (target: Target, rows: readonly Row[], had: boolean): void => {
    const shown = target.kind === 'block' ? shownRow.get(target.ns, target.id) : -1
    const counts = new Map<number, Row>()
    if (shown !== undefined) {
      for (const row of rows) {
        const best = counts.get(row.space)
        if (best === undefined || later(standing(row), standing(best))) counts.set(row.space, row)
      }
    }
    const rowOf = (row: Row): number => (shown === undefined || shown < 0 ? row.vector : shown)
    const stays = (row: Row): boolean => counts.get(row.space) === row && row.row === rowOf(row)
    for (const row of rows) if (row.shelf !== null && !stays(row)) unlist(row)
    for (const row of counts.values()) if (row.shelf === null || !stays(row)) list(target, row, rowOf(row))
    const by = Number(counts.size > 0) - Number(had)
    if (by !== 0) count.run({ ns: target.ns, kind: target.kind, by })
  }

  const isListed = (row: Row): boolean => row.shelf !== null
  const drop = (row: Row): void => {
    unlist(row)
    remove.run(row.vector)
  }

  return {
    /** Remembers that an event brought a block a vector, whatever becomes of that. */
    note({ ns, block, event, space, time }: EmbedNote): void {
      insertNote.run(ns, block, event, spaceNumber(db, space), time)
    },

    /** Takes a vector that an event brings. */
    put(target: Target, { fingerprint, data, captured, clock, id }: BroughtVector): void {
      const space = spaceNumber(db, fingerprint)
      const bytes = Buffer.from(data, 'base64')
      const fault = faultOf(bytes) ?? ''
      const before = all(target)
      const same = before.find(
        row => row.space === space && row.captured === Number(captured) && (row.fault === '') === (fault === ''),
      )
      if (same !== undefined) {
        if (compareOrder(standing(same), { clock, id }) >= 0) return
        drop(same)
      }
      insert.run(target.ns, target.kind, target.id, space, Number(captured), fault, clock, id, bytes)
      settle(target, all(target), before.some(isListed))
    },

    /** Forgets the vectors of a block that a tombstone covers. */
    purge(target: Target, tombstone: Order): void {
      const before = all(target)
      const covered = before.filter(row => row.captured === 1 || compareOrder(standing(row), tombstone) < 0)
      if (covered.length === 0) return
      for (const row of covered) drop(row)
      settle(target, all(target), before.some(isListed))
    },

    /** To be called when a target may have come, gone, or been hidden or shown. */
    settle(target: Target): void {
      // Asked of every block that comes, and without an embedder there are none at all.
      const rows = any.get() === undefined ? [] : all(target)
      if (rows.length > 0) settle(target, rows, rows.some(isListed))
    },

    /** Numbers of the namespaces in which a block has vectors, whether or not it is known itself. */
    namespacesOf: (block: string): number[] => namespaces.all(block),
  }
}

export type VectorTable = ReturnType<typeof vectorTable>

function standing({ clock, event, fault }: Row) {
  return { clock, id: event, fault }
}
