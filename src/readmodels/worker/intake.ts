import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { readEvent, type StoredEvent, verbOf } from '../../events/index.ts'
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
import type { Ack, Material } from '../port.ts'
import { emptyTally, type FoldOutcome, isDisputed } from '../projector/index.ts'
import { statement } from '../recall/statements.ts'
import { ColdIntake } from './cold-intake.ts'
import type { HeldDatabase } from './held-database.ts'
import type { LogRedaction } from './redaction.ts'
import { SaidSoFar } from './said-so-far.ts'

/** Events folded in one transaction while catching up; between them, questions are answered. */
const BATCH = 1_000
/** Documents given their text in one transaction. */
const BATCH_DOCUMENTS = 20
/** How often the journal is listed anew while others go on writing it. */
const PASSES = 5

/**
 * How events come into the database: each is journaled, synced and folded, in this order and by its id, so a crash
 * between any two of these is mended by reading again. What others journaled, and what session logs hold, is read here.
 */
export class Intake {
  /** What folding came to, and damaged places met, since this process began. */
  readonly tally = emptyTally()
  issues = 0
  private readonly held: HeldDatabase
  private readonly folder: string
  /** Whether what is folded from session logs is copied to the journal. */
  private readonly copies: boolean
  /** Ids of the events that are read; without it, all are. */
  private readonly only: ReadonlySet<unknown> | undefined
  private readonly writer: JournalWriter
  private readonly cold: ColdIntake
  /** Our own stream holds events that are not folded yet. */
  private behind = false
  private filled: number
  /** Folders of session logs, and those of them that are not read to their end yet. */
  private readonly roots = new Set<string>()
  private readonly unread = new Set<string>()

  constructor(
    held: HeldDatabase,
    journal: string,
    copies: boolean,
    redaction: LogRedaction,
    only?: ReadonlySet<string>,
  ) {
    this.held = held
    this.folder = journal
    this.copies = copies
    this.only = only
    this.writer = JournalWriter.inFolder(journal)
    this.filled = held.generation
    this.cold = new ColdIntake(held, redaction)
  }

  /** Whether catching up has something to do: events that are not folded yet, or a database that is to be opened. */
  get isBehind(): boolean {
    return this.hasUnfolded || this.unread.size > 0 || this.cold.isUnmatched || this.held.isLacking || this.isDisputed
  }

  /** Folders of session logs that are not read to their end yet. */
  get unreadRoots(): number {
    return this.unread.size
  }

  /** Whether the journal holds events that are not folded yet. */
  get hasUnfolded(): boolean {
    return this.behind || this.filled !== this.held.generation
  }

  /** Journals and folds events. Throws, with nothing acknowledged, when the journal cannot be written. */
  fold(events: readonly StoredEvent[]): Ack[] {
    const written = this.journalFresh(events)
    return this.held.guarded(
      (_, projector) =>
        projector.foldGroup(events, this.tally, this.copies, () => this.advance(written)).map(acknowledge),
      () => {
        if (written !== undefined) this.behind = true
        return events.map(event => this.pendingAck(event))
      },
    )
  }

  /** Gives documents their text from live sessions, a piece at each step. Returns how many of them can be read now. */
  supply(materials: readonly Material[]): Generator<void, number> {
    return this.cold.supply(materials)
  }

  /** Makes what documents say to be found by its words, a piece at each step. */
  indexing(): Generator<void> {
    return this.cold.indexing()
  }

  /** How many configurations have a say in how texts of logs are redacted. */
  get configurations(): number {
    return this.cold.configurations
  }

  /** Remembers folders of session logs, to be read when catching up. */
  expect(roots: readonly string[]): void {
    for (const root of roots) {
      this.roots.add(root)
      this.unread.add(root)
    }
  }

  /** Folds what journals and expected session logs hold and the database does not know. */
  async catchUp(signal?: AbortSignal): Promise<void> {
    do {
      if (this.cold.isUnmatched) for (const root of this.roots) this.unread.add(root)
      await this.catchUpJournal(signal)
      for (const root of [...this.unread]) {
        if (!(await this.catchUpLogs(root, signal))) return
        this.unread.delete(root)
      }
    } while (this.startOver())
  }

  /** Empties the database where something was folded that does not count; all is to be read again then. */
  startOver(): boolean {
    if (!this.isDisputed) return false
    this.held.empty()
    this.filled = -1
    return true
  }

  private get isDisputed(): boolean {
    return this.held.guarded(isDisputed, () => false)
  }

  /** Folds what journal streams hold beyond their cursors: other processes', and our own where it fell behind. */
  async catchUpJournal(signal?: AbortSignal): Promise<void> {
    if (this.held.isLacking) this.held.reopen()
    const { generation } = this.held
    // Another file was opened: what session logs alone hold is not in it.
    if (generation !== this.filled) for (const root of this.roots) this.unread.add(root)
    const tried = new Set<string>()
    for (let pass = 0; pass < PASSES; pass++) {
      // Streams are listed anew until none is left: one may have been packed into another meanwhile.
      const streams = (await listStreams(this.folder)).filter(({ path, size }) => !tried.has(`${path} ${size}`))
      if (streams.length === 0) break
      for (const { name, path, size } of streams) {
        if (signal?.aborted || this.held.refusal !== undefined) return
        tried.add(`${path} ${size}`)
        const cursor = this.cursor(name)
        if (cursor === size) continue
        // A stream that ends before its cursor, or has no line there, had its tail cut by its writer: it is read anew.
        const from = cursor < size && (await startsLine(path, cursor)) ? cursor : 0
        if (!(await this.take(readStream(path, from), signal, { stream: name }))) return
      }
    }
    if (generation !== this.held.generation) return
    this.behind = false
    this.filled = generation
  }

  /**
   * Folds, and copies to the journal, what the session logs below a folder hold. Logs unchanged since they were read are
   * passed over. Returns false when it was ended early.
   */
  async catchUpLogs(root: string, signal?: AbortSignal): Promise<boolean> {
    if (!(await this.passLogs(root, signal))) return false
    return this.cold.readAnew() ? this.passLogs(root, signal) : true
  }

  private async passLogs(root: string, signal?: AbortSignal): Promise<boolean> {
    const unreadable = () => {
      this.issues += 1
    }
    const { issues } = this
    const listed = new Set<string>()
    await this.cold.matchRedaction(signal)
    for await (const log of listSessionLogs(root, unreadable)) {
      if (signal?.aborted || this.held.refusal !== undefined) return false
      listed.add(log.path)
      const known = this.held.db
        .prepare<[string], { size: number; modified: number }>('SELECT size, modified FROM sessions WHERE path = ?')
        .get(log.path)
      if (known?.size === log.size && known.modified === log.modified) continue
      const said = new SaidSoFar()
      if (!(await this.take(readSessionLog(log, said), signal, { said }))) return false
      await this.cold.finish(log, said, signal)
      await this.index(signal)
      // A log that may not be copied is read once more when it may, so that the journal gets what it lacks.
      if (!this.copies) continue
      await this.held.whenFree(signal, db => {
        db.prepare('INSERT OR REPLACE INTO sessions (path, size, modified, session) VALUES (?, ?, ?, ?)').run(
          log.path,
          log.size,
          log.modified,
          said.session,
        )
      })
    }
    if (this.issues === issues) await this.cold.withdrawGone(root, listed, signal)
    return true
  }

  /** Packs the journal's small streams when there are many. */
  async packJournal(signal?: AbortSignal): Promise<void> {
    if (!this.copies || (await packStreams(this.folder, this.writer.path)) === 0) return
    const names = (await listStreams(this.folder)).map(({ name }) => name)
    await this.held.whenFree(signal, db => {
      db.prepare('DELETE FROM journal_streams WHERE name NOT IN (SELECT value FROM json_each(?))').run(
        JSON.stringify(names),
      )
    })
    await this.catchUpJournal(signal)
  }

  close(): void {
    this.writer.close()
  }

  /** Folds what a reader yields, batch by batch. Returns false when it was ended early. */
  private async take(
    items: AsyncIterable<LogItem & { readonly next?: number }>,
    signal: AbortSignal | undefined,
    { stream, said }: { readonly stream?: string; readonly said?: SaidSoFar },
  ): Promise<boolean> {
    let batch: StoredEvent[] = []
    let next = 0
    let documents = 0
    const flush = async () => {
      // Events read from the journal are in it; those read from session logs are copied to it first.
      const written = stream === undefined ? this.journalFresh(batch) : undefined
      const journaled = stream !== undefined || this.copies
      const events = batch
      batch = []
      documents = 0
      await this.held.untilFree(signal, (db, projector) => {
        projector.foldGroup(events, this.tally, journaled, () => {
          this.advance(written)
          if (stream !== undefined) this.moveCursor(stream, next)
          if (said !== undefined) this.cold.fill(db, events, said)
        })
      })
      if (said !== undefined) await this.index(signal)
    }
    for await (const item of items) {
      if (signal?.aborted) return false
      if (item.kind === 'issue') this.issues += 1
      else if (this.only?.has(eventIdOf(item.event)) !== false) batch.push(item.event)
      next = item.next ?? 0
      if (said !== undefined && archives(item)) documents += 1
      const enough = documents >= BATCH_DOCUMENTS || (documents > 0 && said?.isLarge === true)
      if (batch.length >= BATCH || enough) {
        await flush()
        await breathe()
      }
    }
    if (next > 0 || batch.length > 0) await flush()
    return !signal?.aborted
  }

  /** Brings the recall index up to the texts of documents; questions are answered meanwhile. */
  private async index(signal: AbortSignal | undefined): Promise<void> {
    for (const _ of this.indexing()) {
      await breathe()
      if (signal?.aborted) return
    }
  }

  /**
   * Writes to the journal those events that it is not known to hold. Returns where they stand in our stream. What is no
   * event is left out: nobody would remember that it is there, so each sighting would add it once more.
   */
  private journalFresh(events: readonly StoredEvent[]): Span | undefined {
    const fresh = this.copies ? events.filter(event => !this.isJournaled(event) && isUsable(event)) : []
    return fresh.length === 0 ? undefined : this.writer.append(fresh)
  }

  private isJournaled(event: StoredEvent): boolean {
    return this.held.guarded(
      (_, projector) => projector.journaled(event),
      () => false,
    )
  }

  /** Moves our stream's cursor over what is folded; what is behind is read again from where the cursor stands. */
  private advance(span: Span | undefined): void {
    const stream = this.writer.path.slice(join(this.folder, '/').length)
    if (span === undefined || this.hasUnfolded || span.start !== this.cursor(stream)) return
    this.moveCursor(stream, span.end)
  }

  private pendingAck(event: StoredEvent): Ack {
    if (!isUsable(event)) return { status: 'skipped', created: false, reason: 'malformed' }
    return this.held.guarded(
      (_, projector) => {
        const created = projector.brought(event)
        return created === undefined
          ? { status: 'pending', created: projector.brings(event) }
          : { status: 'known', created }
      },
      () => ({ status: 'pending', created: true }),
    )
  }

  private cursor(stream: string): number {
    return this.held.guarded(
      db => Number(statement(db, 'SELECT offset FROM journal_streams WHERE name = ?').pluck().get(stream) ?? 0),
      () => 0,
    )
  }

  private moveCursor(stream: string, offset: number): void {
    const set = statement(this.held.db, 'INSERT OR REPLACE INTO journal_streams (name, offset) VALUES (?, ?)')
    set.run(stream, offset)
  }
}

/** Whether what was read archives a document. */
function archives(item: LogItem): boolean {
  return item.kind === 'event' && verbOf(item.event.type) === 'archive'
}

function eventIdOf({ data }: StoredEvent): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined
}

function isUsable({ type, data }: StoredEvent): boolean {
  return readEvent(type, data).kind === 'event'
}

function acknowledge(outcome: FoldOutcome): Ack {
  if (outcome.status === 'skipped') return { status: 'skipped', created: false, reason: outcome.reason }
  return { status: outcome.status, created: outcome.created === true }
}
