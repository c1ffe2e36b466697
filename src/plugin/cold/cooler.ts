import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '@deepseek-ai/cordis'
import { type Ask, type Distilled, distilByModel, distilTurn } from '../../commands/distill/index.ts'
import { type CommitDraft, decideCommit, decideDistill, isCommandRefused, type Stamp } from '../../commands/index.ts'
import type { Namespace } from '../../events/index.ts'
import type { DocumentAnswer, PagePart, ReadModel } from '../../readmodels/index.ts'
import type { Config } from '../config.ts'
import type { Recorder } from '../recorder.ts'
import type { Quiet } from './quiet.ts'

/** Documents of one run. */
const AT_ONCE = 5
const EVERY_MS = 180_000
const QUIET_MS = 60_000
const DEADLINE_MS = 10_000
const HOUR_MS = 3_600_000
/** How often a model may fail on one document before rules alone have to do. */
const MOST_FAILURES = 3

const ROLES: Readonly<Record<PagePart['kind'], 'user' | 'assistant' | 'tool'>> = {
  user: 'user',
  assistant: 'assistant',
  call: 'tool',
  result: 'tool',
}

/** Read models that somebody in this process works on: two mounts of one memory take turns. */
const worked = new WeakSet<ReadModel>()

export interface CoolerParts {
  readonly model: ReadModel
  readonly recorder: Recorder
  readonly config: Config
  readonly quiet: Quiet
  /** Unix milliseconds. */
  readonly now?: () => number
  /** Time between two runs, and how long no turn must have run before one, in milliseconds. */
  readonly everyMs?: number
  readonly quietMs?: number
}

/**
 * Makes memories of turns that have cooled: of those archived long enough ago and hardly asked for since. It works
 * while no agent does, a few documents at a time. What is to be done follows from the database alone, so nothing is lost
 * by a restart.
 */
export class Cooler {
  private readonly ctx: Context
  private readonly parts: CoolerParts
  /** Asks a model, where there is one and the settings want it. */
  private ask: Ask | undefined
  private readonly failures = new Map<string, number>()

  constructor(ctx: Context, parts: CoolerParts) {
    this.ctx = ctx
    this.parts = parts
  }

  /** From now on, or no longer, a model can be asked. */
  useModel(ask: Ask | undefined): void {
    this.ask = ask
  }

  /** Works until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { quiet, everyMs = EVERY_MS, quietMs = QUIET_MS } = this.parts
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted && quiet.since() >= quietMs) await this.cool(signal)
    }
  }

  /** One pass over what has cooled, ended by the beginning of a turn. Returns how many documents it was. Never rejects. */
  async cool(stopping: AbortSignal): Promise<number> {
    const { model, config, quiet, now = Date.now } = this.parts
    const { hours, accesses, distill } = config.cold.cooling
    if (distill === 'off' || worked.has(model)) return 0
    worked.add(model)
    const signal = AbortSignal.any([stopping, quiet.untilBusy()])
    let done = 0
    try {
      const due = await model.due(
        { age: hours * HOUR_MS, accesses, now: now(), limit: AT_ONCE },
        { signal, deadline: DEADLINE_MS },
      )
      for (const document of due) if (await this.distil(document, signal)) done += 1
    } catch (error) {
      if (!signal.aborted) this.warn('turns that have cooled were not distilled', error)
    } finally {
      worked.delete(model)
    }
    return done
  }

  /** Returns whether the document is done. Memories come first: after a crash in between, they are known already. */
  private async distil(document: DocumentAnswer, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    const { recorder, model } = this.parts
    // Another process may have been quicker.
    const fresh = await model.document(
      { namespace: document.namespace, doc: document.doc },
      { signal, deadline: DEADLINE_MS },
    )
    if (fresh === null || fresh.distilled || fresh.state !== 'held') return false
    const parts = fresh.pages.flatMap(page => page.parts)
    const read = await this.read(fresh, parts, signal)
    if (read === undefined) return false
    const drafts = read.found.flatMap(one => this.draft(one, parts[one.passage]) ?? [])
    const ns: Namespace = { id: fresh.namespace, label: fresh.label }
    const blocks = await this.keep(fresh, ns, drafts, signal)
    await recorder.journal('distill', [{ ns, make: decideDistill(fresh.doc, blocks, read.by).stamp }])
    return true
  }

  /** What a document says; undefined when it is to be read another time. */
  private async read(
    { doc, namespace }: DocumentAnswer,
    parts: readonly PagePart[],
    signal: AbortSignal,
  ): Promise<{ readonly found: readonly Distilled[]; readonly by: 'rules' | 'model' } | undefined> {
    const passages = parts.map(({ kind, text }) => ({ role: ROLES[kind], text }))
    const byRules = distilTurn(passages)
    const { ask } = this
    const key = `${namespace} ${doc}`
    const failed = this.failures.get(key) ?? 0
    if (this.parts.config.cold.cooling.distill !== 'model' || failed >= MOST_FAILURES) {
      return { found: byRules, by: 'rules' }
    }
    if (ask === undefined) return undefined
    let failure: unknown
    const byModel = await distilByModel(
      (prompt, until) =>
        ask(prompt, until).catch((error: unknown) => {
          failure = error
          throw error
        }),
      passages,
      signal,
    )
    if (failure !== undefined) {
      this.failures.set(key, failed + 1)
      throw failure
    }
    const known = new Set(byRules.map(({ text }) => text))
    return { found: [...byRules, ...byModel.filter(({ text }) => !known.has(text))], by: 'model' }
  }

  private draft({ text }: Distilled, part: PagePart | undefined): CommitDraft | undefined {
    const { config } = this.parts
    const frame = {
      ...(part === undefined || part.time === 0 ? {} : { ts: part.time }),
      ...(part === undefined ? {} : { role: part.kind }),
    }
    try {
      return decideCommit({ text, frame }, 'distill', config)
    } catch (error) {
      if (isCommandRefused(error)) return undefined
      throw error
    }
  }

  /** Commits what is not known yet; what was purged stays so. Returns the ids of all that lives. */
  private async keep(
    { clock, session, turn, archivedAt, namespace }: DocumentAnswer,
    ns: Namespace,
    drafts: readonly CommitDraft[],
    signal: AbortSignal,
  ): Promise<string[]> {
    const { model, recorder } = this.parts
    const ids = drafts.map(({ block }) => block)
    const known = await model.lookup({ namespace, ids }, { signal, deadline: DEADLINE_MS })
    const living = drafts.filter((_, at) => known[at]?.state !== 'purged')
    const unknown = new Map(
      drafts.flatMap((draft, at) => (known[at]?.state === 'unknown' ? [[draft.block, draft] as const] : [])),
    )
    const place = { ...(session === '' ? {} : { session }), ...(turn === null ? {} : { turn }) }
    const acts = Array.from(unknown.values(), draft => ({
      ns,
      make: (stamp: Stamp) => {
        const event = draft.stamp(stamp)
        // It was said when the turn was: what was said since then is later, and wins over it.
        return { ...event, clock, at: { ...place, time: event.frame?.ts ?? archivedAt } }
      },
    }))
    signal.throwIfAborted()
    if (acts.length > 0) await recorder.journal('commit', acts)
    return living.map(({ block }) => block)
  }

  private warn(what: string, error: unknown): void {
    this.ctx.logger.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
