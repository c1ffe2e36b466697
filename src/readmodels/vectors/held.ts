import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import { halfBytes } from './code/encode.ts'
import { BLOCK, roomOf, writeCode } from './scan/page.ts'
import { Pages } from './scan/pages.ts'
import { SEARCH } from './settings.ts'
import type { Shelf } from './shelves.ts'

/** A change of a shelf: a vector put in, or without a code taken out. */
interface Change {
  readonly serial: number
  readonly stamp: number
  readonly vector: number
  readonly row: number
  readonly code: Buffer | null
}

/** Some vectors whose codes lie in one page. A vector number 0 is a place that is free. */
export interface HeldPage {
  readonly page: number
  readonly vectors: Int32Array
  readonly rows: Int32Array
  /** Second halves of the codes. */
  readonly seconds: Uint8Array
  /** Places in use or used once. */
  readonly count: number
}

/** Pages hold the first halves of codes only, which is about so much of the whole. */
const FIRST_HALVES = 0.48

/** Changes read at once. */
const CHUNK = 4_096

const CHANGES = `SELECT serial, stamp, vector, row, code FROM vector_codes WHERE shelf = ? AND serial > ?
  ORDER BY serial LIMIT ${CHUNK}`

class OpenPage implements HeldPage {
  readonly page: number
  readonly vectors: Int32Array
  readonly rows: Int32Array
  readonly seconds: Uint8Array
  count = 0

  constructor(page: number, dim: number) {
    const room = roomOf(dim)
    this.page = page
    this.vectors = new Int32Array(room)
    this.rows = new Int32Array(room)
    this.seconds = new Uint8Array(room * halfBytes(dim))
  }

  /** Writes a vector at a place; `codes` are the bytes of the page. */
  set(place: number, vector: number, row: number, code: Uint8Array, codes: Uint8Array): void {
    const half = code.length / 2
    this.vectors[place] = vector
    this.rows[place] = row
    this.seconds.set(code.subarray(half), place * half)
    writeCode(codes, place, code.subarray(0, half))
  }
}

/** A shelf's codes in memory, true up to a change. */
class HeldShelf {
  readonly epoch: number
  serial = 0
  stamp = 0
  readonly pages: OpenPage[] = []
  readonly free: Array<readonly [page: OpenPage, place: number]> = []

  constructor(epoch: number) {
    this.epoch = epoch
  }
}

/**
 * The codes of shelves, held in memory: the least recently asked go first when the bound is reached, and a shelf that has
 * no room even alone is read through page by page. At 384 dimensions a vector takes 200 bytes: twice 96 for its code, and
 * two numbers. The bound is `SEARCH.heldBytes`.
 */
export class HeldShelves {
  readonly pages: Pages
  /** Changes read from the database so far. */
  read = 0
  private readonly held = new Map<number, HeldShelf>()

  constructor(pages = new Pages(SEARCH.heldBytes * FIRST_HALVES)) {
    this.pages = pages
  }

  /** Calls `see` with every page of a shelf as it is now in the database. `busy` are shelves that must stay. */
  visit(db: Database, shelf: Shelf, busy: ReadonlySet<number>, see: (page: HeldPage, blocks: number) => void): void {
    const pages = this.bring(db, shelf, busy)
    if (pages === undefined) this.passThrough(db, shelf, see)
    else for (const page of pages) see(page, blocksOf(page))
  }

  private bring(
    db: Database,
    { shelf, dim, epoch, live }: Shelf,
    busy: ReadonlySet<number>,
  ): readonly HeldPage[] | undefined {
    let held = this.held.get(shelf)
    this.held.delete(shelf)
    if (held !== undefined && (held.epoch !== epoch || !isTrue(db, shelf, held))) {
      this.release(held)
      held = undefined
    }
    held ??= new HeldShelf(epoch)
    let whole = false
    try {
      whole = Math.ceil(live / roomOf(dim)) <= this.pages.most && this.topUp(db, held, shelf, dim, busy)
    } finally {
      if (!whole) this.release(held)
    }
    if (!whole) return undefined
    this.held.set(shelf, held)
    return held.pages
  }

  /** Reads what changed since. Returns false when there is no room. */
  private topUp(db: Database, held: HeldShelf, shelf: number, dim: number, busy: ReadonlySet<number>): boolean {
    for (;;) {
      const changes = statement(db, CHANGES).all(shelf, held.serial) as Change[]
      this.read += changes.length
      for (const change of changes) {
        if (!this.apply(held, change, dim, busy)) return false
        held.serial = change.serial
        held.stamp = change.stamp
      }
      if (changes.length < CHUNK) return true
    }
  }

  /** Returns false when there is no room. */
  private apply(held: HeldShelf, { vector, row, code }: Change, dim: number, busy: ReadonlySet<number>): boolean {
    if (code === null) {
      for (const page of held.pages) {
        const place = page.vectors.indexOf(vector)
        if (place < 0) continue
        page.vectors[place] = 0
        held.free.push([page, place])
        break
      }
      return true
    }
    const [page, place] = held.free.pop() ?? this.newPlace(held, dim, busy) ?? []
    if (page === undefined || place === undefined) return false
    page.set(place, vector, row, code, this.pages.at(page.page))
    return true
  }

  private newPlace(held: HeldShelf, dim: number, busy: ReadonlySet<number>): [OpenPage, number] | undefined {
    let last = held.pages.at(-1)
    if (last === undefined || last.count === last.vectors.length) {
      const page = this.makeRoom(busy)
      if (page === undefined) return undefined
      last = new OpenPage(page, dim)
      held.pages.push(last)
    }
    last.count += 1
    return [last, last.count - 1]
  }

  private makeRoom(busy: ReadonlySet<number>): number | undefined {
    for (;;) {
      const page = this.pages.take()
      if (page !== undefined) return page
      const oldest = [...this.held.keys()].find(shelf => !busy.has(shelf))
      const held = oldest === undefined ? undefined : this.held.get(oldest)
      if (oldest === undefined || held === undefined) return undefined
      this.held.delete(oldest)
      this.release(held)
    }
  }

  private release({ pages }: HeldShelf): void {
    for (const { page } of pages) this.pages.give(page)
  }

  private passThrough(db: Database, { shelf, dim }: Shelf, see: (page: HeldPage, blocks: number) => void): void {
    const page = new OpenPage(this.pages.passing, dim)
    const flush = (): void => {
      if (page.count > 0) see(page, blocksOf(page))
      page.count = 0
    }
    for (let after = 0; ; ) {
      const changes = statement(db, CHANGES).all(shelf, after) as Change[]
      for (const { serial, vector, row, code } of changes) {
        after = serial
        if (code === null) continue
        if (page.count === page.vectors.length) flush()
        page.set(page.count, vector, row, code, this.pages.at(page.page))
        page.count += 1
      }
      if (changes.length < CHUNK) break
    }
    flush()
  }
}

function blocksOf({ count }: HeldPage): number {
  return Math.ceil(count / BLOCK)
}

/** Whether what was read last is still there as it was read. */
function isTrue(db: Database, shelf: number, { serial, stamp }: HeldShelf): boolean {
  if (serial === 0) return true
  const now = statement(db, 'SELECT stamp FROM vector_codes WHERE shelf = ? AND serial = ?').pluck().get(shelf, serial)
  return now === stamp
}

const shelves = new WeakMap<Database, HeldShelves>()

/** What vector search holds in memory for a connection; it can be dropped at any time. */
export function heldShelves(db: Database): HeldShelves {
  let held = shelves.get(db)
  if (held === undefined) {
    held = new HeldShelves()
    shelves.set(db, held)
  }
  return held
}

/** Drops what is held for a connection, or sets what is to be used. */
export function forgetShelves(db: Database, instead?: HeldShelves): void {
  if (instead === undefined) shelves.delete(db)
  else shelves.set(db, instead)
}
