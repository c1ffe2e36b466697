import { setImmediate as unwound } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import { type ArchiveDraft, CommandRefusedError, checkNamed, decideArchive, type Named } from '../../commands/index.ts'
import { type Origin, reasonOf } from '../../events/index.ts'
import { endedTurns } from '../../projections/index.ts'
import { type Ack, ReadModelError } from '../../readmodels/index.ts'
import type { Config } from '../config.ts'
import { eventsOf } from '../host/session-reader.ts'
import { isSubagent } from '../host/sources.ts'
import type { Recorder, RecorderParts } from '../recorder.ts'
import { isOwnTool } from '../tools/own.ts'
import { followOpenTurns } from './open-turns.ts'
import { eventsFrom, readTurn, type TurnSpan } from './turn.ts'

/** Turns that are archived late at one go. */
const AT_ONCE = 50
/** How long late archival may hold the host's thread at one go, in milliseconds. */
const HOLD_MS = 4
/** Characters that are handed to the worker in one message, unless one document has more. */
const SUPPLY_CHARS = 1_000_000

/** A turn that somebody archived under a name. */
export interface Archived {
  readonly draft: ArchiveDraft
  readonly ack: Ack
}

/**
 * Makes turns cold documents: one event each that cites the log, in the session; then the text that it cites goes to
 * the worker, when the host has gone on.
 */
export class Archiver {
  private readonly ctx: Context
  private readonly parts: RecorderParts & { readonly config: Config }
  private readonly recorder: Recorder
  private readonly eventsOfOpen: ReturnType<typeof followOpenTurns>
  /** Sessions whose earlier turns are being archived. */
  private readonly busy = new WeakSet<Session>()
  /** What is to be handed to the worker. */
  private readonly waiting: Array<{ readonly session: Session; readonly drafts: readonly ArchiveDraft[] }> = []
  /** By session and document, the seq up to which a turn was looked at here: it was archived, or is no document. */
  private readonly seen = new WeakMap<Session, Map<string, number>>()

  constructor(ctx: Context, parts: RecorderParts & { readonly config: Config }, recorder: Recorder) {
    this.ctx = ctx
    this.parts = parts
    this.recorder = recorder
    this.eventsOfOpen = followOpenTurns(ctx)
  }

  /** Archives the open turn as far as it went. Resolves when its event is in the log. Never rejects. */
  async archiveOpen(session: Session): Promise<void> {
    try {
      if (!this.concerns(session)) return
      const { open } = this.parts.projections.archive(session)
      // Another mount in this process may have done it.
      if (open === null || open.doc === '' || open.last <= open.archived) return
      const span = { doc: open.doc, from: open.from, to: open.last, ended: 'stopping' }
      const draft = this.draft(session, span, 'archive', this.parts.config.cold.minChars)
      if (draft !== undefined) await this.leave(session, span, draft)
    } catch (error) {
      this.warn('a turn was not archived', error)
    }
  }

  /**
   * Archives the turns of a session that are over and were not archived, because they did not end by themselves or because
   * we were not there. It takes them a few at a time. Never rejects.
   */
  async archiveEnded(session: Session, signal: AbortSignal): Promise<void> {
    if (!this.concerns(session) || this.busy.has(session)) return
    this.busy.add(session)
    try {
      for (let turns = this.ended(session); turns.length > 0; turns = this.ended(session)) {
        await this.archiveSome(session, turns.slice(0, AT_ONCE), signal)
        await unwound()
        if (signal.aborted || !this.isLive(session)) return
      }
    } catch (error) {
      this.warn('earlier turns were not archived', error)
    } finally {
      this.busy.delete(session)
    }
  }

  /**
   * Archives the open turn under a name that somebody chose, however short it is.
   * @throws CommandRefusedError where there is no turn with a human's words; MemoryUnavailableError when it could not be
   * acknowledged.
   */
  async archiveNamed(session: Session, named: Named, origin: Origin, signal?: AbortSignal): Promise<Archived> {
    checkNamed(named)
    const { open } = this.parts.projections.archive(session)
    const chosen = named.title?.trim() || named.tags?.length ? named : undefined
    const span = { doc: open?.doc ?? '', from: open?.from ?? 0, to: open?.last ?? -1, ended: 'open' }
    const draft = span.doc === '' ? undefined : this.draft(session, span, origin, 0, chosen)
    if (draft === undefined) {
      throw new CommandRefusedError('not_found', 'there is no open turn with words of the user to archive')
    }
    const ack = await this.recorder.record(session, 'archive', draft.stamp, signal)
    this.see(session, span)
    this.later(session, [draft])
    return { draft, ack }
  }

  /** Turns that are still to be looked at, oldest first. */
  private ended(session: Session): TurnSpan[] {
    const seen = this.seen.get(session)
    // Where sessions take no events, what was archived before we came is not known from the log.
    const since = this.parts.writer.reachesSessions ? 0 : (session.firstLiveSeq ?? 0)
    return endedTurns(this.parts.projections.archive(session)).filter(
      ({ doc, from, to }) => from >= since && (seen?.get(doc) ?? -1) < to,
    )
  }

  private async archiveSome(session: Session, turns: readonly TurnSpan[], signal: AbortSignal): Promise<void> {
    const events = eventsOf(session)
    let began = performance.now()
    let waiting: ArchiveDraft[] = []
    let chars = 0
    const handOver = (): void => {
      const drafts = waiting
      waiting = []
      chars = 0
      if (drafts.length > 0) this.later(session, drafts)
    }
    for (const span of turns) {
      if (signal.aborted) break
      const draft = this.decide(
        readTurn(eventsFrom(events, span.from), span),
        'archive',
        this.parts.config.cold.minChars,
      )
      this.see(session, span)
      if (draft === undefined) continue
      await this.recorder.leave(session, 'archive', draft.stamp)
      waiting.push(draft)
      chars += draft.cited.reduce((sum, { text }) => sum + text.length, 0)
      if (chars > SUPPLY_CHARS) handOver()
      if (performance.now() - began < HOLD_MS) continue
      await unwound()
      began = performance.now()
    }
    handOver()
  }

  private draft(
    session: Session,
    span: TurnSpan,
    origin: Origin,
    minChars: number,
    named?: Named,
  ): ArchiveDraft | undefined {
    const { from } = span
    const turn = readTurn(this.eventsOfOpen(session, from) ?? eventsFrom(eventsOf(session), from), span)
    return this.decide({ ...turn, named: named ?? turn.named }, origin, minChars)
  }

  private decide(turn: ReturnType<typeof readTurn>, origin: Origin, minChars: number): ArchiveDraft | undefined {
    const { redaction } = this.parts.config
    return decideArchive(turn, origin, { minChars, isOwnTool, redaction })
  }

  private async leave(session: Session, span: TurnSpan, draft: ArchiveDraft): Promise<void> {
    await this.recorder.leave(session, 'archive', draft.stamp)
    this.see(session, span)
    this.later(session, [draft])
  }

  /** Hands over what waits to be, at once: a harness that ends must not leave it to the next start. Never rejects. */
  async handOver(): Promise<void> {
    const waiting = this.waiting.splice(0)
    await Promise.all(waiting.map(({ session, drafts }) => this.supply(session, drafts)))
  }

  /** Hands the text of some documents over when the host has gone on. */
  private later(session: Session, drafts: readonly ArchiveDraft[]): void {
    if (this.waiting.push({ session, drafts }) === 1) setImmediate(() => void this.handOver())
  }

  /** Hands the cited text over. What does not arrive is read from the stored log at the next start. Never rejects. */
  private async supply(session: Session, drafts: readonly ArchiveDraft[]): Promise<void> {
    try {
      const { id } = await this.parts.namespaces.of(session)
      await this.parts.model.supply(
        drafts.map(({ doc, cited }) => ({ namespace: id, doc, session: session.id, said: cited })),
      )
    } catch (error) {
      // Unloaded meanwhile, which is nobody's trouble.
      if (error instanceof ReadModelError && error.code === 'closed') return
      this.warn('the text of an archived turn will be read at the next start', error)
    }
  }

  private see(session: Session, { doc, to }: TurnSpan): void {
    const seen = this.seen.get(session) ?? new Map<string, number>()
    this.seen.set(session, seen.set(doc, to))
  }

  /** A subagent's prompt looks like a human's and is not, whether or not the subagent may write. */
  private concerns(session: Session): boolean {
    return !isSubagent(session)
  }

  private isLive(session: Session): boolean {
    return this.ctx.sessions.get(session.id) === session
  }

  private warn(what: string, error: unknown): void {
    this.ctx.logger.warn(`${what}: ${reasonOf(error)}`)
  }
}
