import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import type { Database } from 'better-sqlite3'
import { readEvent, type Said, type StoredEvent } from '../../events/index.ts'
import { readSessionLog, type SessionLogFile } from '../../logs/index.ts'
import { namespaceNumbers } from '../audit/lookup.ts'
import { documentsOf, findDocument } from '../cold/documents.ts'
import { citedBy, forgetTexts, hold, release } from '../cold/text.ts'
import type { Material } from '../port.ts'
import type { HeldDatabase } from './held-database.ts'
import type { LogRedaction } from './redaction.ts'
import type { SaidSoFar } from './said-so-far.ts'

/** Documents written in one transaction when a log is read a second time. */
const AT_ONCE = 20

interface LoggedSession {
  readonly path: string
  readonly session: string
}

/** How documents come to their text: from a live session that hands it over, or from its log on disk. */
export class ColdIntake {
  private readonly held: HeldDatabase
  private readonly redaction: LogRedaction

  constructor(held: HeldDatabase, redaction: LogRedaction) {
    this.held = held
    this.redaction = redaction
  }

  /** Takes what live sessions hand over. Returns how many of the documents can be read now. */
  supply(materials: readonly Material[]): number {
    return this.held.guarded(
      db =>
        db
          .transaction(() => {
            let readable = 0
            for (const { namespace, doc, session, said } of materials) {
              for (const ns of namespaceNumbers(db, namespace)) {
                const now = Date.now()
                if (hold(db, ns, doc, { session, supplied: now, said }, this.redaction.redact)) readable += 1
              }
            }
            return readable
          })
          .immediate(),
      () => 0,
    )
  }

  /** Gives text to the documents that some events of a log archive, from what the log said before them. */
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
        hold(db, ns, doc, { session: said.session, supplied: 0, said: records }, this.redaction.redact)
        said.satisfied.add(`${ns} ${doc}`)
      }
      said.forgetBefore(read.event.data.messages[0])
    }
  }

  /** Lets go of all that was kept of logs under other rules of redaction, so that it is read anew under these. */
  async matchRedaction(signal?: AbortSignal): Promise<void> {
    const { mark } = this.redaction
    const keptUnder = (db: Database) => db.prepare("SELECT value FROM meta WHERE key = 'redaction'").pluck().get()
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
   * After a pass through a log: documents that cite it and were not filled, because their event stands elsewhere or too
   * far behind, get their text from a second pass; what the log does not hold any more is withdrawn.
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
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      await this.held.whenFree(signal, db => {
        for (const { document, said: records } of wanted.slice(from, from + AT_ONCE)) {
          const source = { session: said.session, supplied: 0, said: records }
          hold(db, document.ns, document.doc, source, this.redaction.redact)
        }
      })
    }
  }
}

/** The logs that were read, by path. */
function loggedSessions(db: Database): LoggedSession[] {
  return db.prepare<[], LoggedSession>('SELECT path, session FROM sessions').all()
}
