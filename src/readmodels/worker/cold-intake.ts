import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { readEvent, type Said, type StoredEvent } from '../../events/index.ts'
import { readSessionLog, type SessionLogFile } from '../../logs/index.ts'
import { namespaceNumbers } from '../audit/lookup.ts'
import { documentsOf, findDocument } from '../cold/documents.ts'
import { indexSome, isIndexed } from '../cold/index-parts.ts'
import { keptRecord } from '../cold/keep.ts'
import { citedBy, forgetTexts, hold, isWanting, readWaitingAnew, release, type Source } from '../cold/text.ts'
import type { Material } from '../port.ts'
import type { HeldDatabase } from './held-database.ts'
import type { LogRedaction } from './redaction.ts'
import type { SaidSoFar } from './said-so-far.ts'

/** What is redacted in one go: characters, and records. */
const AT_ONCE = { chars: 200_000, records: 500 } as const
/** Documents beyond this are given their text by `finish`, which is not in a hurry: characters, and records. */
const LARGE = { chars: 400_000, records: 1_000 } as const
/** How often what was handed over while the database was not free is tried again, and how much of it is kept. */
const MOST_TRIES = 60
const MOST_PENDING = 50

interface LoggedSession {
  readonly path: string
  readonly session: string
}

interface Pending {
  readonly material: Material
  readonly tries: number
}

/** How documents come to their text: from a live session that hands it over, or from its log on disk. */
export class ColdIntake {
  private readonly held: HeldDatabase
  private readonly redaction: LogRedaction
  private pending: Pending[] = []
  private unmatched = false

  constructor(held: HeldDatabase, redaction: LogRedaction) {
    this.held = held
    this.redaction = redaction
  }

  /** How many configurations have a say in what is redacted. */
  get configurations(): number {
    return this.redaction.configurations
  }

  /** Whether another process made other rules of redaction hold: logs are to be read again then. */
  get isUnmatched(): boolean {
    return this.unmatched
  }

  /**
   * Takes what live sessions hand over, a piece at each step. Returns how many of the documents can be read now. What the
   * database was not free for is kept, and taken by the next call.
   */
  *supply(materials: readonly Material[]): Generator<void, number> {
    const waiting = [...this.pending, ...materials.map(material => ({ material, tries: 0 }))]
    this.pending = []
    let readable = 0
    for (const { material, tries } of waiting) {
      const supplied = yield* this.supplyOne(material)
      if (supplied !== undefined) readable += supplied
      else if (tries < MOST_TRIES && this.pending.length < MOST_PENDING) {
        this.pending.push({ material, tries: tries + 1 })
      }
    }
    return readable
  }

  /** Brings the recall index up to what is held, a piece at each step. What is left undone the next call does. */
  *indexing(): Generator<void> {
    const isToDo = () =>
      this.held.guarded(
        db => !isIndexed(db) && db.transaction(() => indexSome(db)).immediate(),
        () => false,
      )
    while (isToDo()) yield
  }

  /**
   * Gives text to the documents that some events of a log archive, from what the log said before them. Large ones are left
   * to `finish`.
   */
  fill(db: Database, events: readonly StoredEvent[], said: SaidSoFar): void {
    for (const { type, data } of events) {
      const read = readEvent(type, data)
      if (read.kind !== 'event' || read.event.verb !== 'archive') continue
      const { doc, ns: namespace } = read.event.data
      for (const ns of namespaceNumbers(db, namespace.id)) {
        const document = findDocument(db, ns, doc)
        if (document === undefined) continue
        const records = said.of(citedBy(document))
        if (records.length === 0) continue
        const source = { session: said.session, supplied: 0, said: records }
        if (isLarge(records) && isWanting(db, ns, doc, source)) continue
        if (this.give(db, ns, doc, source)) said.satisfied.add(`${ns} ${doc}`)
      }
      said.forgetBefore(read.event.data.messages[0])
    }
  }

  /** Lets go of all that was kept of logs under other rules of redaction, so that it is read anew under these. */
  async matchRedaction(signal?: AbortSignal): Promise<void> {
    this.redaction.join()
    this.unmatched = false
    const { mark } = this.redaction
    const matches = this.held.guarded(
      db => keptUnder(db) === mark,
      () => true,
    )
    if (matches) return
    await this.held.whenFree(signal, db => {
      if (keptUnder(db) !== undefined) forgetTexts(db)
      db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('redaction', ?)").run(mark)
    })
  }

  /** Withdraws what only logs hold that are not stored any more. `listed` are the paths below `root` that are. */
  async withdrawGone(root: string, listed: ReadonlySet<string>, signal?: AbortSignal): Promise<void> {
    // A folder that is not there may be a disk that is not mounted: that says nothing about its logs.
    if (!existsSync(root)) return
    const below = root.endsWith(sep) ? root : root + sep
    const gone = this.held.guarded(
      db => loggedSessions(db).filter(({ path }) => path.startsWith(below) && !listed.has(path)),
      () => [],
    )
    for (const { path, session } of gone) {
      await this.held.whenFree(signal, db => {
        db.prepare('DELETE FROM sessions WHERE path = ?').run(path)
        if (loggedSessions(db).some(other => other.session === session)) return
        for (const { ns, doc } of documentsOf(db, session)) release(db, ns, doc, session)
      })
    }
  }

  /**
   * After a pass through a log: documents that cite it and were not filled, because they are large or their event stands
   * elsewhere or too far behind, get their text from a second pass; what the log does not hold any more is withdrawn.
   */
  async finish(log: SessionLogFile, said: SaidSoFar, signal?: AbortSignal): Promise<void> {
    if (said.session === '') return
    const needed = this.held.guarded(
      db => documentsOf(db, said.session).filter(({ ns, doc }) => !said.satisfied.has(`${ns} ${doc}`)),
      () => [],
    )
    if (needed.length === 0) return
    const wanted = needed.map(document => ({ document, cited: citedBy(document), said: [] as Said[] }))
    const citing = new Map<string, Array<(typeof wanted)[number]>>()
    const cites = (key: string, one: (typeof wanted)[number]): void => {
      const those = citing.get(key)
      if (those === undefined) citing.set(key, [one])
      else those.push(one)
    }
    for (const one of wanted) {
      for (const id of one.cited.messages) cites(`message ${id}`, one)
      for (const id of one.cited.calls) cites(`call ${id}`, one)
    }
    const take = (record: Said): void => {
      const { kind, id } = record
      for (const one of citing.get(kind === 'message' ? `message ${id}` : `call ${id}`) ?? []) one.said.push(record)
    }
    for await (const _ of readSessionLog(log, { onSaid: take, onSession: () => {} })) if (signal?.aborted) return
    for (const { document, said: records } of wanted) {
      const { ns, doc } = document
      const source = { session: said.session, supplied: 0, said: records }
      const isWanted = this.held.guarded(
        db => isWanting(db, ns, doc, source),
        () => false,
      )
      const keeping = this.keeping(isWanted ? records : [])
      let step = keeping.next()
      for (; !step.done; step = keeping.next()) {
        await breathe()
        if (signal?.aborted) return
      }
      const kept = step.value
      await this.held.whenFree(signal, db => {
        this.give(db, ns, doc, source, kept)
      })
    }
  }

  /**
   * After a pass through all logs: has those read anew that hold documents whose text was withdrawn because another log lost
   * it. Returns whether there are any.
   */
  readAnew(): boolean {
    return this.held.guarded(readWaitingAnew, () => false)
  }

  /** Returns how many documents it was; `undefined` when the database is not free. */
  private *supplyOne({ namespace, doc, session, said }: Material): Generator<void, number | undefined> {
    this.held.guarded(
      db => this.matches(db) || this.redaction.join(),
      () => undefined,
    )
    const kept = yield* this.keeping(said)
    const source = { session, supplied: Date.now(), said }
    return this.held.guarded<number | undefined>(
      db =>
        db
          .transaction(() => namespaceNumbers(db, namespace).filter(ns => this.give(db, ns, doc, source, kept)).length)
          .immediate(),
      () => undefined,
    )
  }

  /** What is kept of records, redacted a piece at each step. */
  private *keeping(records: readonly Said[]): Generator<void, ReadonlyMap<Said, Said>> {
    const kept = new Map<Said, Said>()
    let [chars, count] = [0, 0]
    for (const record of records) {
      kept.set(record, this.keep(record))
      chars += record.text.length
      count += 1
      if (chars < AT_ONCE.chars && count < AT_ONCE.records) continue
      yield
      ;[chars, count] = [0, 0]
    }
    return kept
  }

  private keep(record: Said): Said {
    return keptRecord(record, text => this.redaction.redact(text))
  }

  /** Gives a document its text where what is kept is redacted by our rules; else it waits until all is read anew. */
  private give(db: Database, ns: number, doc: string, from: Source, kept?: ReadonlyMap<Said, Said>): boolean {
    if (!this.matches(db)) {
      this.unmatched = true
      return false
    }
    const keep = (record: Said): Said => kept?.get(record) ?? this.keep(record)
    return hold(db, ns, doc, from, keep, text => this.redaction.redact(text))
  }

  private matches(db: Database): boolean {
    const under = keptUnder(db)
    return under === undefined || under === this.redaction.mark
  }
}

/** The mark of the rules that all that is kept was redacted by; `undefined` before anything was. */
function keptUnder(db: Database): unknown {
  return db.prepare("SELECT value FROM meta WHERE key = 'redaction'").pluck().get()
}

function isLarge(records: readonly Said[]): boolean {
  return records.length > LARGE.records || records.reduce((sum, { text }) => sum + text.length, 0) > LARGE.chars
}

/** The logs that were read, by path. */
function loggedSessions(db: Database): LoggedSession[] {
  return db.prepare<[], LoggedSession>('SELECT path, session FROM sessions').all()
}
