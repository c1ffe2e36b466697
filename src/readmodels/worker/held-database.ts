import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { reasonOf } from '../../events/index.ts'
import { isBusy, isCorrupt, isDatabaseRefused, sqliteCode } from '../database/errors.ts'
import { fileAt, isSound, moveAside, openDatabase } from '../database/open.ts'
import { OWN_TABLES } from '../database/schema.ts'
import { Projector } from '../projector/index.ts'
import { clearRecallIndex } from '../recall/index.ts'

/** The longest pause before a write is tried again while another process has the lock, in milliseconds. */
const LONGEST_PAUSE_MS = 2_000

/**
 * The database of one process, through all that can happen to its file: it may be refused, locked, damaged, or moved and
 * deleted by somebody. Whoever uses it gets an answer either way, and learns by `generation` that what is open now is not
 * what was open before, and wants filling.
 */
export class HeldDatabase {
  readonly path: string
  /** Rises when another file is opened in the place of the one before. */
  generation = 0
  private opened: { readonly db: Database; readonly projector: Projector } | undefined
  private reason: string | undefined
  private refusedForGood = false
  private closed = false
  private aside: string | undefined
  /** Which file is open; undefined in memory. */
  private file: string | undefined

  constructor(path: string) {
    this.path = path
    this.open()
  }

  /** Why there is no database, if there is none. */
  get refusal(): string | undefined {
    return this.opened === undefined ? (this.reason ?? 'the database is closed') : undefined
  }

  /** Where a damaged file was moved, if one was. */
  get movedAside(): string | undefined {
    return this.aside
  }

  /** The open database. Throws with the reason when there is none. */
  get db(): Database {
    if (this.opened === undefined) throw new Error(this.refusal)
    return this.opened.db
  }

  /** None could be opened, or ours was moved or deleted and is nobody else's any more; opening is worth trying. */
  get isLacking(): boolean {
    if (this.closed || this.refusedForGood) return false
    return this.opened === undefined || (this.file !== undefined && this.file !== fileAt(this.path))
  }

  /** Runs with the database, or says why it cannot be used now. */
  guarded<T>(run: (db: Database, projector: Projector) => T, otherwise: (reason: string) => T): T {
    // Answers go before models and into logs: why there is no database, with its path, is for people to read.
    if (this.opened === undefined) return otherwise('the database cannot be used now; `dsh-hologram status` says why')
    try {
      return run(this.opened.db, this.opened.projector)
    } catch (error) {
      if (isBusy(error)) return otherwise('another process is writing to the database')
      if (!isCorrupt(error)) return otherwise(reasonOf(error))
      this.replace()
      return otherwise('the database was damaged; it was moved aside and is being filled again')
    }
  }

  /** One write transaction, tried again with breathing space while another process holds the lock. */
  whenFree(signal: AbortSignal | undefined, write: (db: Database, projector: Projector) => void): Promise<void> {
    return this.untilFree(signal, (db, projector) => db.transaction(() => write(db, projector)).immediate())
  }

  /** The same for what makes its transaction itself. */
  async untilFree(signal: AbortSignal | undefined, write: (db: Database, projector: Projector) => void): Promise<void> {
    for (let wait = 50; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const { opened } = this
      if (signal?.aborted || opened === undefined) return
      try {
        write(opened.db, opened.projector)
        return
      } catch (error) {
        if (!isBusy(error)) throw error
      }
      await pause(wait, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
    }
  }

  /** Opens what is at the database's place now. */
  reopen(): void {
    this.letGo()
    this.open(0)
    if (this.opened !== undefined) this.generation += 1
  }

  /** Empties the tables in place, so that everything is read again. A file too damaged for that is replaced. */
  empty(): void {
    const { db } = this
    const empty = db.transaction(() => {
      for (const table of OWN_TABLES) db.exec(`DELETE FROM ${table}`)
      clearRecallIndex(db)
    })
    try {
      empty.immediate()
    } catch (error) {
      if (!isCorrupt(error)) throw error
      this.replace()
    }
  }

  /** Reads the whole file for damage; a damaged one is moved aside and made anew. Returns whether it was sound. */
  check(): boolean {
    if (this.opened === undefined) return false
    if (isSound(this.opened.db)) return true
    this.replace()
    return false
  }

  /**
   * Moves a damaged database aside and starts an empty one. What is at its place now is looked at first: another process
   * may have done this already, and its new file is sound.
   */
  replace(): void {
    this.letGo()
    this.open()
    if (this.opened !== undefined && !isSound(this.opened.db)) {
      this.letGo()
      this.aside = moveAside(this.path)
      this.open()
    }
    this.generation += 1
  }

  close(): void {
    this.closed = true
    this.giveBack()
    this.letGo()
    this.reason = 'the database is closed'
  }

  private open(wait?: number): void {
    try {
      const { db, movedAside } = openDatabase(this.path, wait)
      this.opened = { db, projector: new Projector(db) }
      this.aside = movedAside ?? this.aside
      this.file = this.path === ':memory:' ? undefined : fileAt(this.path)
      this.reason = undefined
    } catch (error) {
      // What is not the file's or the disk's fault is ours, and is not to be tried again.
      if (!isDatabaseRefused(error) && sqliteCode(error) === '') throw error
      this.reason = reasonOf(error)
      this.refusedForGood = isDatabaseRefused(error) && error.code !== 'unwritable'
    }
  }

  private letGo(): void {
    this.opened?.db.close()
    this.opened = undefined
  }

  /** Gives pages that purges and rebuilds have freed back to the file system, some at a time. */
  private giveBack(): void {
    try {
      this.opened?.db.pragma('incremental_vacuum(2000)')
    } catch {
      // Somebody else is writing, or the file is damaged; neither is for the moment of closing.
    }
  }
}
