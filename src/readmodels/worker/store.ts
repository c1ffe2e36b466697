import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { reasonOf, type StoredEvent } from '../../events/index.ts'
import type { RedactionSettings } from '../../redaction/index.ts'
import { keepTrouble } from '../audit/trouble.ts'
import { PAGES } from '../cold/schema.ts'
import { documentStats, NO_DOCUMENTS } from '../cold/stats.ts'
import { isBusy } from '../database/errors.ts'
import { LIMITS } from '../limits.ts'
import type { FoldAnswer, LeaseRequest, Material, RecallAnswer, RecallRequest, Stats } from '../port.ts'
import { statement } from '../recall/statements.ts'
import { centroidSteps, dueCentroids, lease } from '../vectors/index.ts'
import { answerRecall, noAnswer } from './answer.ts'
import { HeldDatabase } from './held-database.ts'
import { Intake } from './intake.ts'
import { Readings } from './readings.ts'
import { LogRedaction } from './redaction.ts'
import { spaceStats, warmVectors } from './spaces.ts'

export interface StoreOptions {
  /** The database file. */
  readonly path: string
  /** The journal folder. */
  readonly journal: string
  /** What is taken out of texts of session logs before they are kept; without it, as the plugin last left word. */
  readonly redaction?: RedactionSettings
  /** Leaves the journal as it is; what is folded from session logs is not copied to it. */
  readonly keepJournal?: boolean
  /** Ids of the events that are read; without it, all are. */
  readonly only?: ReadonlySet<string>
}

/** How long `refill` waits for other writers, and between two tries, in milliseconds. */
const LOCK_WAIT_MS = 30_000
const LOCK_PAUSE_MS = 100

/**
 * The memory of one process: its database, and what comes into it. Synchronous but for reading what others stored. It
 * lives in the worker, or in a command that has no host.
 */
export class Store extends Readings {
  readonly options: StoreOptions
  private readonly held: HeldDatabase
  private readonly intake: Intake
  private catching = false
  private noted: string | undefined
  private looked = false
  private warm = false

  constructor(options: StoreOptions) {
    super()
    this.options = options
    this.held = new HeldDatabase(options.path)
    const redaction = new LogRedaction(options.journal, options.redaction)
    this.intake = new Intake(this.held, options.journal, options.keepJournal !== true, redaction, options.only)
  }

  /** Highest clock in the database; 0 without one. */
  get clock(): number {
    return this.held.guarded(
      // Each namespace has the clock of its latest event.
      db => Number(statement(db, 'SELECT max(clock) FROM namespaces').pluck().get() ?? 0),
      () => 0,
    )
  }

  /** The open database, for dumps and counts. Throws with the reason when there is none. */
  get database(): Database {
    return this.held.db
  }

  /** Whether catching up has something to do. */
  get isBehind(): boolean {
    return this.intake.isBehind
  }

  /** Events met so far, of whatever kind. */
  get taken(): number {
    const { folded, known, skipped } = this.intake.tally
    return folded + known + Object.values(skipped).reduce((sum, count) => sum + count, 0)
  }

  /** Journals and folds the events that are new. Throws, with nothing acknowledged, when the journal cannot be written. */
  fold(events: readonly StoredEvent[]): FoldAnswer {
    const before = this.intake.tally.lastFailure
    const acks = this.intake.fold(events)
    const { lastFailure } = this.intake.tally
    if (lastFailure !== undefined && lastFailure !== before) this.keep(lastFailure)
    return { acks, clock: this.clock }
  }

  /** Whether an event was folded, by its id. */
  knows(event: StoredEvent): boolean {
    return this.held.guarded(
      (_, projector) => projector.brought(event) !== undefined,
      () => false,
    )
  }

  recall(request: RecallRequest): RecallAnswer {
    const started = performance.now()
    return this.held.guarded(
      db => {
        // One snapshot: what another process writes meanwhile is seen as a whole or not at all.
        const answer = db.transaction(() => ({
          ...answerRecall(db, request, this.degraded(), started),
          clock: this.clock,
        }))()
        if (this.isSuspect(answer) && !this.held.check()) {
          throw new Error('the database was damaged; it is being filled again')
        }
        return answer
      },
      reason => noAnswer(reason, this.degraded(), started),
    )
  }

  /** Gives documents their text from a live session, and finds them by it. Returns how many of them can be read now. */
  supply(materials: readonly Material[]): number {
    const readable = allOf(this.supplying(materials))
    allOf(this.indexing())
    return readable
  }

  /** Gives documents their text, a piece at each step: in one, a turn of thousands of calls would hold up questions. */
  supplying(materials: readonly Material[]): Generator<void, number> {
    return this.intake.supply(materials)
  }

  /** Makes what documents say to be found by its words, a piece at each step. */
  indexing(): Generator<void> {
    return this.intake.indexing()
  }

  /** Takes or gives back a lease; false while another process holds it, or nothing can be written. */
  lease(request: LeaseRequest): boolean {
    return this.held.guarded(
      db => lease(db, request),
      () => false,
    )
  }

  /** What can be done when there is time: codes are loaded before the first question, and due centroids are built. */
  async tend(signal?: AbortSignal): Promise<void> {
    if (this.held.refusal !== undefined) return
    if (!this.warm) warmVectors(this.database)
    this.warm = true
    // What was handed over and could not be written, and what a process that ended left to be indexed.
    for (const steps of [this.supplying([]), this.indexing()]) {
      for (const _ of steps) {
        await breathe()
        if (signal?.aborted || this.held.refusal !== undefined) return
      }
    }
    // While much is still to come, centroids would only be built to be built again.
    if (this.catching) return
    for (const fingerprint of dueCentroids(this.database)) {
      for (const _ of centroidSteps(this.database, fingerprint)) {
        await breathe()
        if (signal?.aborted || this.held.refusal !== undefined) return
      }
    }
  }

  stats(): Stats {
    const count = (table: string) =>
      this.held.guarded(
        db => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
        () => 0,
      )
    return {
      blocks: count(`memory_blocks WHERE ns < ${PAGES}`),
      documents: this.documents(),
      events: count('events_seen'),
      namespaces: count('namespaces'),
      clock: this.clock,
      path: this.options.path,
      journal: this.options.journal,
      catchingUp: this.catching,
      spaces: this.held.guarded(spaceStats, () => []),
      skipped: this.intake.tally.skipped,
      issues: this.intake.issues,
      degraded: this.degraded(),
      trouble: this.trouble(),
    }
  }

  /** Remembers folders of session logs, to be read when catching up. */
  expect(roots: readonly string[]): void {
    this.intake.expect(roots)
  }

  /** Folds what journals and session logs hold and the database does not know. Ends early, in order, on `signal`. */
  async catchUp(roots: readonly string[], signal?: AbortSignal): Promise<void> {
    this.expect(roots)
    this.catching = true
    try {
      await this.intake.catchUp(signal)
      this.noted = undefined
    } finally {
      this.catching = false
    }
  }

  catchUpJournal(signal?: AbortSignal): Promise<void> {
    return this.intake.catchUpJournal(signal)
  }

  async catchUpLogs(roots: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const root of roots) await this.intake.catchUpLogs(root, signal)
  }

  /** Empties the database where something was folded that does not count. Returns whether all is to be read again. */
  startOver(): boolean {
    return this.intake.startOver()
  }

  packJournal(signal?: AbortSignal): Promise<void> {
    return this.intake.packJournal(signal)
  }

  /**
   * Empties the database and fills it again, as one transaction: processes beside this one see the memory as it was until
   * it is whole again. Throws when the database cannot be locked for it.
   */
  async refill(fill: () => Promise<void>): Promise<void> {
    const db = this.database
    for (let wait = 0; ; wait += LOCK_PAUSE_MS) {
      try {
        db.exec('BEGIN IMMEDIATE')
        break
      } catch (error) {
        if (!isBusy(error) || wait > LOCK_WAIT_MS) throw error
      }
      await pause(LOCK_PAUSE_MS)
    }
    try {
      this.clear()
      await fill()
    } catch (error) {
      if (db.open && db.inTransaction) db.exec('ROLLBACK')
      throw error
    }
    // A file too damaged to be emptied was replaced, and filled piece by piece.
    if (db.open && db.inTransaction) db.exec('COMMIT')
  }

  /** Empties the tables in place, so that everything is read again. A file too damaged for that is replaced. */
  clear(): void {
    this.held.empty()
  }

  /** Reads the whole file for damage; a damaged one is moved aside and made anew. Returns whether it was sound. */
  check(): boolean {
    return this.held.check()
  }

  /** Remembers what went wrong outside of a call, to be shown until catching up succeeds. */
  note(error: unknown): void {
    this.noted = reasonOf(error)
    this.keep(this.noted)
  }

  /** Keeps what went wrong in the database, for those who look at it without this process. */
  keep(trouble: string): null {
    return this.held.guarded(
      db => keepTrouble(db, trouble),
      () => null,
    )
  }

  close(): void {
    this.intake.close()
    this.held.close()
  }

  private documents(): Stats['documents'] {
    const { configurations } = this.intake
    const counted = this.held.guarded(documentStats, () => NO_DOCUMENTS)
    return configurations > 1 ? { ...counted, configurations } : counted
  }

  /** The database, for questions. What is thrown goes before models and into logs, so it names no file. */
  protected get readable(): Database {
    if (this.held.refusal !== undefined)
      throw new Error('the database cannot be used now; `dsh-hologram status` says why')
    return this.held.db
  }

  /** Whether a search failed in a way that damage may be behind. Asked to look once, since looking reads all of it. */
  private isSuspect({ degraded }: RecallAnswer): boolean {
    if (this.looked || !degraded.some(reason => reason.startsWith('search_failed'))) return false
    this.looked = true
    return true
  }

  /** What a person has to know or to mend: it does not pass by itself. It may name files of this machine. */
  private trouble(): string[] {
    const { movedAside, refusal } = this.held
    const { lastFailure } = this.intake.tally
    return [
      refusal,
      movedAside === undefined ? undefined : `a damaged database was moved to ${movedAside}`,
      this.noted,
      lastFailure === undefined ? undefined : `an event could not be folded: ${lastFailure}`,
    ].filter(reason => reason !== undefined)
  }

  private degraded(): string[] {
    return [
      this.held.refusal === undefined ? undefined : LIMITS.unusable,
      this.held.movedAside === undefined ? undefined : LIMITS.movedAside,
      this.intake.hasUnfolded ? LIMITS.unfolded : undefined,
      this.catching ? LIMITS.catching : unread(this.intake.unreadRoots),
    ].filter(reason => reason !== undefined)
  }
}

/** Takes all steps at once. */
function allOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Folders whose logs could not be read, or were not yet. */
function unread(roots: number): string | undefined {
  return roots === 0 ? undefined : `${LIMITS.unread}: ${roots} ${roots === 1 ? 'folder' : 'folders'}`
}
