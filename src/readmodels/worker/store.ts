import { join } from 'node:path'
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { readEvent, type StoredEvent } from '../../events/index.ts'
import {
  JournalWriter,
  type LogItem,
  listSessionLogs,
  listStreams,
  packStreams,
  readSessionLog,
  readStream,
  type Span,
  startsLine,
} from '../../logs/index.ts'
import { isBusy, isCorrupt, isDatabaseRefused, sqliteCode } from '../database/errors.ts'
import { fileAt, isSound, moveAside, openDatabase } from '../database/open.ts'
import { OWN_TABLES } from '../database/schema.ts'
import type { Ack, FoldAnswer, RecallAnswer, RecallRequest, Stats } from '../port.ts'
import { emptyTally, type FoldOutcome, Projector } from '../projector/index.ts'
import { clearRecallIndex } from '../recall/index.ts'
import { answerRecall } from './answer.ts'

export interface StoreOptions {
  /** The database file. */
  readonly path: string
  /** The journal folder. */
  readonly journal: string
  /** Leaves the journal as it is; what is folded from session logs is not copied to it. */
  readonly keepJournal?: boolean
}

/** Events folded in one transaction while catching up; between them, questions are answered. */
const BATCH = 200
/** How often the journal is listed anew while others go on writing it. */
const PASSES = 5

/**
 * The journal and the database of one process, synchronous but for reading what others stored. It lives in the worker,
 * or in a command that has no host. An event is taken in this order: journal, fsync, fold; each step is by event id, so
 * a crash between any two of them is mended by reading again.
 */
export class Store {
  readonly options: StoreOptions
  private readonly writer: JournalWriter
  private db: Database | undefined
  private projector: Projector | undefined
  private refusal: string | undefined
  private refusedForGood = false
  private closed = false
  /** Which file the open database is; undefined in memory. */
  private file: string | undefined
  private readonly tally = emptyTally()
  private issues = 0
  private movedAside: string | undefined
  /** Our own stream holds events that are not folded yet. */
  private behind = false
  private catching = false
  private noted: string | undefined
  private looked = false

  constructor(options: StoreOptions) {
    this.options = options
    this.writer = JournalWriter.inFolder(options.journal)
    this.open()
  }

  /** Highest clock in the database; 0 without one. */
  get clock(): number {
    return this.guarded(
      db => Number(db.prepare('SELECT max(clock) FROM events_seen').pluck().get() ?? 0),
      () => 0,
    )
  }

  /** The open database, for dumps and counts. Throws with the reason when there is none. */
  get database(): Database {
    if (this.db === undefined) throw new Error(this.refusal ?? 'the database is closed')
    return this.db
  }

  /** Whether catching up has something to do: events that are not folded yet, or a database that is to be opened. */
  get isBehind(): boolean {
    return this.behind || this.lacksDatabase
  }

  /** Events met so far, of whatever kind. */
  get taken(): number {
    const skipped = Object.values(this.tally.skipped).reduce((sum, count) => sum + count, 0)
    return this.tally.folded + this.tally.known + skipped
  }

  /** Remembers what went wrong outside of a call, to be shown. */
  note(error: unknown): void {
    this.noted = error instanceof Error ? error.message : String(error)
  }

  /** Journals and folds the events that are new. Throws, with nothing acknowledged, when the journal cannot be written. */
  fold(events: readonly StoredEvent[]): FoldAnswer {
    const written = this.journalFresh(events)
    const acks = this.guarded(
      (db, projector) => {
        const outcomes = db
          .transaction(() => {
            const folded = events.map(event => projector.fold(event, this.tally, this.copies))
            this.advance(written)
            return folded
          })
          .immediate()
        return outcomes.map(acknowledge)
      },
      () => {
        if (written !== undefined) this.behind = true
        return events.map(event => this.pendingAck(event))
      },
    )
    return { acks, clock: this.clock }
  }

  recall(request: RecallRequest): RecallAnswer {
    const started = performance.now()
    return this.guarded(
      db => {
        const answer = answerRecall(db, request, this.degraded(), started)
        if (this.isSuspect(answer) && !this.check())
          throw new Error('the database was damaged; it is being filled again')
        return answer
      },
      reason => ({
        hits: [],
        superseded: [],
        outcome: 'unavailable',
        notice: `Memory cannot be searched: ${reason}`,
        symbols: [],
        counters: { candidates: 0, skipped: {}, milliseconds: performance.now() - started },
        degraded: this.degraded(),
      }),
    )
  }

  stats(): Stats {
    const count = (table: string) => Number(this.db?.prepare(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0)
    return {
      blocks: count('memory_blocks'),
      events: count('events_seen'),
      namespaces: count('namespaces'),
      clock: this.clock,
      path: this.options.path,
      journal: this.options.journal,
      catchingUp: this.catching,
      skipped: this.tally.skipped,
      issues: this.issues,
      degraded: this.degraded(),
      trouble: this.trouble(),
    }
  }

  /** Folds what journals and session logs hold and the database does not know. Ends early, in order, on `signal`. */
  async catchUp(roots: readonly string[], signal?: AbortSignal): Promise<void> {
    this.catching = true
    try {
      await this.catchUpJournal(signal)
      await this.catchUpLogs(roots, signal)
    } finally {
      this.catching = false
    }
  }

  /** Folds what journal streams hold beyond their cursors: other processes', and our own where it fell behind. */
  async catchUpJournal(signal?: AbortSignal): Promise<void> {
    if (this.lacksDatabase) this.reopen()
    const tried = new Set<string>()
    for (let pass = 0; pass < PASSES; pass++) {
      // Streams are listed anew until none is left: one may have been packed into another meanwhile.
      const streams = (await listStreams(this.options.journal)).filter(
        ({ path, size }) => !tried.has(`${path} ${size}`),
      )
      if (streams.length === 0) break
      for (const { name, path, size } of streams) {
        if (signal?.aborted || this.db === undefined) return
        tried.add(`${path} ${size}`)
        const cursor = this.cursor(name)
        if (cursor === size) continue
        // A stream that ends before its cursor, or has no line there, had its tail cut by its writer: it is read anew.
        const from = cursor < size && (await startsLine(path, cursor)) ? cursor : 0
        if (!(await this.take(readStream(path, from), signal, { stream: name }))) return
      }
    }
    this.behind = false
  }

  /** Folds, and copies to the journal, what stored session logs hold. Logs unchanged since they were read are passed over. */
  async catchUpLogs(roots: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const root of roots) {
      const unreadable = () => {
        this.issues += 1
      }
      for await (const log of listSessionLogs(root, unreadable)) {
        if (signal?.aborted || this.db === undefined) return
        const known = this.db
          .prepare<[string], { size: number; modified: number }>('SELECT size, modified FROM sessions WHERE path = ?')
          .get(log.path)
        if (known?.size === log.size && known.modified === log.modified) continue
        const whole = await this.take(readSessionLog(log), signal, {})
        if (!whole || this.db === undefined) return
        // Read once more when it may be copied, so that the journal gets what it lacks.
        if (!this.copies) continue
        this.db
          .prepare('INSERT OR REPLACE INTO sessions (path, size, modified) VALUES (?, ?, ?)')
          .run(log.path, log.size, log.modified)
      }
    }
  }

  /** Packs the journal's small streams when there are many. */
  async packJournal(signal?: AbortSignal): Promise<void> {
    if (!this.copies || (await packStreams(this.options.journal, this.writer.path)) === 0) return
    const names = (await listStreams(this.options.journal)).map(({ name }) => name)
    await this.whenFree(signal, () => {
      this.db
        ?.prepare('DELETE FROM journal_streams WHERE name NOT IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(names))
    })
    await this.catchUpJournal(signal)
  }

  /** Empties the tables in place, so that everything is read again. A file too damaged for that is replaced. */
  clear(): void {
    const db = this.database
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
    if (this.db === undefined) return false
    if (isSound(this.db)) return true
    this.replace()
    return false
  }

  close(): void {
    this.closed = true
    this.writer.close()
    this.giveBack()
    this.db?.close()
    this.db = undefined
    this.projector = undefined
    this.refusal = 'the database is closed'
  }

  /** Gives pages that purges and rebuilds have freed back to the file system, some at a time. */
  private giveBack(): void {
    try {
      this.db?.pragma('incremental_vacuum(2000)')
    } catch (error) {
      if (!isBusy(error)) this.note(error)
    }
  }

  private get copies(): boolean {
    return this.options.keepJournal !== true
  }

  private get streamName(): string {
    return this.writer.path.slice(join(this.options.journal, '/').length)
  }

  private open(wait?: number): void {
    const { path } = this.options
    try {
      const { db, movedAside } = openDatabase(path, wait)
      this.db = db
      this.projector = new Projector(db)
      this.movedAside = movedAside ?? this.movedAside
      this.file = path === ':memory:' ? undefined : fileAt(path)
      this.refusal = undefined
    } catch (error) {
      // What is not the file's or the disk's fault is ours, and is not to be tried again.
      if (!isDatabaseRefused(error) && sqliteCode(error) === '') throw error
      this.refusal = error instanceof Error ? error.message : String(error)
      this.refusedForGood = isDatabaseRefused(error) && error.code !== 'unwritable'
    }
  }

  /** None could be opened, or ours was moved or deleted and is nobody else's any more. */
  private get lacksDatabase(): boolean {
    if (this.closed || this.refusedForGood) return false
    return this.db === undefined || (this.file !== undefined && this.file !== fileAt(this.options.path))
  }

  /** Opens what is at the database's place now. All that it lacks is in the journal. */
  private reopen(): void {
    this.letGo()
    this.open(0)
    if (this.db !== undefined) this.behind = true
  }

  /**
   * Moves a damaged database aside and starts an empty one, to be filled from logs and journal. What is at its place now
   * is looked at first: another process may have done this already, and its new file is sound.
   */
  private replace(): void {
    this.letGo()
    this.open()
    if (this.db !== undefined && !isSound(this.db)) {
      this.letGo()
      this.movedAside = moveAside(this.options.path)
      this.open()
    }
    this.behind = true
  }

  /** Whether a search failed in a way that damage may be behind. Asked to look once, since looking reads all of it. */
  private isSuspect({ degraded }: RecallAnswer): boolean {
    if (this.looked || !degraded.some(reason => reason.startsWith('search_failed'))) return false
    this.looked = true
    return true
  }

  private letGo(): void {
    this.db?.close()
    this.db = undefined
    this.projector = undefined
  }

  /** Runs with the database, or says why it cannot be used now. */
  private guarded<T>(run: (db: Database, projector: Projector) => T, otherwise: (reason: string) => T): T {
    const { db, projector } = this
    if (db === undefined || projector === undefined) return otherwise(this.refusal ?? 'the database is closed')
    try {
      return run(db, projector)
    } catch (error) {
      if (isBusy(error)) return otherwise('another process is writing to the database')
      if (!isCorrupt(error)) return otherwise(error instanceof Error ? error.message : String(error))
      this.replace()
      return otherwise(`the database was damaged and was moved to ${this.movedAside}`)
    }
  }

  /** Folds what a reader yields, batch by batch. Returns false when it was ended early. */
  private async take(
    items: AsyncIterable<LogItem & { readonly next?: number }>,
    signal: AbortSignal | undefined,
    from: { readonly stream?: string },
  ): Promise<boolean> {
    let batch: StoredEvent[] = []
    let next = 0
    const flush = async () => {
      // Events read from the journal are in it; those read from session logs are copied to it first.
      const written = from.stream === undefined ? this.journalFresh(batch) : undefined
      const journaled = from.stream !== undefined || this.copies
      const events = batch
      batch = []
      await this.whenFree(signal, projector => {
        for (const event of events) projector.fold(event, this.tally, journaled)
        this.advance(written)
        if (from.stream !== undefined) this.moveCursor(from.stream, next)
      })
    }
    for await (const item of items) {
      if (signal?.aborted) return false
      if (item.kind === 'issue') this.issues += 1
      else batch.push(item.event)
      next = item.next ?? 0
      if (batch.length >= BATCH) {
        await flush()
        await breathe()
      }
    }
    if (next > 0 || batch.length > 0) await flush()
    return !signal?.aborted
  }

  /** One write transaction, tried again with breathing space while another process holds the lock. */
  private async whenFree(signal: AbortSignal | undefined, write: (projector: Projector) => void): Promise<void> {
    for (let wait = 50; ; wait = Math.min(wait * 2, 2_000)) {
      const { db, projector } = this
      if (signal?.aborted || db === undefined || projector === undefined) return
      try {
        db.transaction(() => write(projector)).immediate()
        return
      } catch (error) {
        if (!isBusy(error)) throw error
      }
      await pause(wait)
    }
  }

  /**
   * Writes to the journal those events that it is not known to hold. Returns where they stand in our stream. What is no
   * event is left out: nobody would remember that it is there, so each sighting would add it once more.
   */
  private journalFresh(events: readonly StoredEvent[]): Span | undefined {
    if (!this.copies) return undefined
    const fresh = events.filter(
      event => !this.asks(event, (projector, id) => projector.journaled(id)) && isUsable(event),
    )
    return fresh.length === 0 ? undefined : this.writer.append(fresh)
  }

  /** Moves our stream's cursor over what is folded; what is behind is read again from where the cursor stands. */
  private advance(span: Span | undefined): void {
    if (span === undefined || this.behind || span.start !== this.cursor(this.streamName)) return
    this.moveCursor(this.streamName, span.end)
  }

  private knows(event: StoredEvent): boolean {
    return this.asks(event, (projector, id) => projector.seen(id))
  }

  /** Asks something of an event's id; false when it has none, or there is no database to ask. */
  private asks({ data }: StoredEvent, question: (projector: Projector, id: string) => boolean): boolean {
    const id: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined
    if (typeof id !== 'string') return false
    return this.guarded(
      (_, projector) => question(projector, id),
      () => false,
    )
  }

  private pendingAck(event: StoredEvent): Ack {
    if (!isUsable(event)) return { status: 'skipped', created: false, reason: 'malformed' }
    if (this.knows(event)) return { status: 'known', created: false }
    const created = this.guarded(
      (_, projector) => projector.brings(event),
      () => true,
    )
    return { status: 'pending', created }
  }

  private cursor(stream: string): number {
    return Number(this.db?.prepare('SELECT offset FROM journal_streams WHERE name = ?').pluck().get(stream) ?? 0)
  }

  private moveCursor(stream: string, offset: number): void {
    this.db?.prepare('INSERT OR REPLACE INTO journal_streams (name, offset) VALUES (?, ?)').run(stream, offset)
  }

  /** What a person has to know or to mend: it does not pass by itself. */
  private trouble(): string[] {
    return [
      this.db === undefined ? (this.refusal ?? 'the database is closed') : undefined,
      this.movedAside === undefined ? undefined : `a damaged database was moved to ${this.movedAside}`,
      this.noted,
      this.tally.lastFailure === undefined ? undefined : `an event could not be folded: ${this.tally.lastFailure}`,
    ].filter(reason => reason !== undefined)
  }

  private degraded(): string[] {
    return [
      ...this.trouble(),
      this.behind ? 'some events are in the journal but not in the database yet' : undefined,
      this.catching ? 'stored sessions are still being read' : undefined,
    ].filter(reason => reason !== undefined)
  }
}

function isUsable({ type, data }: StoredEvent): boolean {
  return readEvent(type, data).kind === 'event'
}

function acknowledge(outcome: FoldOutcome): Ack {
  if (outcome.status === 'skipped') return { status: 'skipped', created: false, reason: outcome.reason }
  return { status: outcome.status, created: outcome.status === 'folded' && outcome.created === true }
}
