import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import {
  CommandRefusedError,
  type CommitInput,
  decideCommit,
  decideLink,
  decideMerge,
  decidePurge,
  decideUnlink,
  type EdgeInput,
  idsOfEdge,
  type KnownBlocks,
  type MergeInput,
  type Named,
  type PurgeInput,
  type RecallRecord,
  recallEvent,
  refuseUntied,
} from '../commands/index.ts'
import { type Namespace, type Origin, reasonOf, SPACE_VERSION } from '../events/index.ts'
import { archivedDocs, saidBlocks } from '../projections/index.ts'
import type {
  Ack,
  BlockView,
  CallOptions,
  DocumentAnswer,
  HistoryAnswer,
  PagesRequest,
  RecallAnswer,
  Scope,
  Stats,
} from '../readmodels/index.ts'
import { redact, rulesFor } from '../redaction/index.ts'
import { Archiver } from './archive/archiver.ts'
import type { Config } from './config.ts'
import type { Backfill, BackfillState } from './embedding/backfill.ts'
import type { EmbeddedQuestion, Embedder, EmbedderState } from './embedding/embedder.ts'
import { isSubagent } from './host/sources.ts'
import { shorten } from './injection/words.ts'
import { checkRecallOptions, type RecallOptions } from './recall-options.ts'
import { pagesRecalledIn, recalledIn } from './recalled.ts'
import { Recorder, type RecorderParts } from './recorder.ts'
import { timeLeft, within } from './within.ts'

/** In whose name an act is done. */
export interface Who {
  readonly session?: Session | undefined
  readonly origin: Origin
  /** Before an act is decided it ends it; after that it ends the wait for the acknowledgement only. */
  readonly signal?: AbortSignal | undefined
}

/** Present when the database could not be written yet: the act is safe, and will be found later. */
export interface MaybePending {
  readonly pending?: true
}

export interface Committed extends MaybePending {
  /** Id of the block. */
  readonly id: string
  /** Whether its namespace did not have it before. */
  readonly created: boolean
}

export interface Merged extends MaybePending {
  /** The id that stands for both now, and the one that became its alias. */
  readonly keep: string
  readonly drop: string
}

export interface Purged extends MaybePending {
  /** Every id that was purged. */
  readonly ids: readonly string[]
}

export interface ArchivedTurn extends MaybePending {
  /** Id of the document, and what it is called. */
  readonly doc: string
  readonly title: string
  readonly tags: readonly string[]
  /** Messages, and tool calls with their results, that it holds. */
  readonly messages: number
  readonly calls: number
}

/** How long a question that an act depends on may take, in milliseconds. */
const LOOKUP_DEADLINE_MS = 10_000

export interface MemoryStats extends Stats {
  /** Where vectors are asked for: how embedding goes, and what the job that brings late ones did. */
  readonly embedding?: EmbedderState & { readonly backfill?: BackfillState }
}

/** Blocks that an act is about, and in whose name it is done. */
interface Asked extends Pick<Who, 'session' | 'signal'> {
  readonly ids: readonly string[]
  readonly everywhere?: boolean | undefined
  /** Whether the pages that hold their texts are needed. */
  readonly pages?: boolean
  /** Whether documents are meant as well. */
  readonly documents?: boolean
}

export interface MemoryParts extends RecorderParts {
  readonly config: Config
  readonly embedder: Embedder
}

/**
 * The memory of one mount. Every act throws `CommandRefusedError` for bad input, with nothing written, and
 * `MemoryUnavailableError` when it could not be acknowledged.
 */
export class Memory {
  readonly ctx: Context
  readonly parts: MemoryParts
  readonly recorder: Recorder
  readonly archiver: Archiver
  /** The job that brings late vectors, once it was begun. */
  backfill: Backfill | undefined
  /** The space last named outside of any session. */
  private spaceSaid: string | undefined

  constructor(ctx: Context, parts: MemoryParts) {
    this.ctx = ctx
    this.parts = parts
    this.recorder = new Recorder(ctx, parts)
    this.archiver = new Archiver(ctx, parts, this.recorder)
  }

  /** Remembers a text. Resolves when its event is journaled and folded. */
  async commit(input: CommitInput, { session, origin, signal }: Who): Promise<Committed> {
    this.mayWrite(session)
    const draft = decideCommit(input, origin, this.parts.config)
    // An abort ends the wait for the vector, and the memory is kept without one.
    const brought = await this.parts.embedder.document(draft.text, signal)
    if (brought.vector !== undefined) await this.nameSpace(session, signal).catch((error: unknown) => this.warn(error))
    const ack = await this.recorder.record(session, 'commit', stamp => ({ ...draft.stamp(stamp), ...brought }), signal)
    return { id: draft.block, created: ack.created, ...pending(ack) }
  }

  /** Ties two things together. */
  async link(input: EdgeInput, { session, origin, signal }: Who): Promise<MaybePending> {
    this.mayWrite(session)
    const known = await this.know({ session, signal, ids: idsOfEdge(input), documents: true })
    const draft = decideLink(input, origin, known, this.redaction)
    return pending(await this.recorder.record(session, 'link', draft.stamp, signal))
  }

  /** Ends an edge. Refused (`not_found`) where there is none. */
  async unlink(input: EdgeInput, { session, origin, signal }: Who): Promise<MaybePending> {
    this.mayWrite(session)
    const draft = decideUnlink(input, origin, this.redaction)
    const left = timeLeft({ deadline: LOOKUP_DEADLINE_MS, ...(signal && { signal }) })
    const namespace = await this.namespaceOf(session, left())
    const isTied = await this.parts.model.tied({ ...draft.edge, namespace: namespace.id }, left())
    if (!isTied) refuseUntied(draft.edge)
    return pending(await this.recorder.record(session, 'unlink', draft.stamp, signal))
  }

  /** Makes two blocks one. */
  async merge(input: MergeInput, { session, origin, signal }: Who): Promise<Merged> {
    this.mayWrite(session)
    const { keep, drop, everywhere } = input
    const known = await this.know({ session, signal, ids: [keep, drop], everywhere })
    const draft = decideMerge(input, origin, known, this.redaction)
    const ack = await this.recorder.record(session, 'merge', draft.stamp, signal)
    return { keep: draft.keep, drop: draft.drop, ...pending(ack) }
  }

  /** Forgets blocks. */
  async purge(input: PurgeInput, { session, origin, signal }: Who): Promise<Purged> {
    this.mayWrite(session)
    const { ids, everywhere } = input
    const known = await this.know({ session, signal, ids, everywhere, pages: true })
    const draft = decidePurge(input, origin, known, this.redaction)
    const events = [draft.stamp, ...draft.further]
    const acks = await Promise.all(events.map(stamp => this.recorder.record(session, 'purge', stamp, signal)))
    return { ids: draft.ids, ...pending(...acks) }
  }

  /** Archives the open turn of a session, as far as it went, under a title and tags of somebody's choice. */
  async archive(named: Named, { session, origin, signal }: Who): Promise<ArchivedTurn> {
    this.mayWrite(session)
    if (session === undefined) {
      throw new CommandRefusedError('not_found', 'there is no session whose turn could be archived')
    }
    const { draft, ack } = await this.archiver.archiveNamed(session, named, origin, signal)
    const { doc, title, tags, cited } = draft
    const count = (kind: 'message' | 'call') => cited.filter(one => one.kind === kind).length
    return { doc, title, tags, messages: count('message'), calls: count('call'), ...pending(ack) }
  }

  /** What memory holds about a question. Never rejects for a lack of hits; rejects for options that cannot be, and when the read model cannot answer. */
  async recall(query: string, session: Session | undefined, options: RecallOptions = {}): Promise<RecallAnswer> {
    checkRecallOptions(options)
    const { model, config } = this.parts
    const { signal, deadline, wordsOnly = false, scope = config.recall.scope, pages, ...asked } = options
    const left = timeLeft({ ...(signal && { signal }), ...(deadline && { deadline }) })
    const namespace = await this.namespaceOf(session, left())
    const embedded = wordsOnly ? {} : await this.embedQuestion(query, left)
    const answer = await model.recall(
      {
        topK: config.topK,
        floor: config.recall.floor,
        ...asked,
        query,
        scope,
        namespace: namespace.id,
        ...(scope === 'session' ? { within: this.saidIn(session) } : {}),
        ...(pages === undefined ? {} : { pages: this.pagesAsked(pages, scope, session) }),
        ...(embedded.vector === undefined ? {} : { vector: embedded.vector }),
        ...(embedded.degraded === undefined ? {} : { unembedded: true }),
      },
      left(),
    )
    this.recorder.observe(answer.clock)
    if (embedded.degraded === undefined) return answer
    return { ...answer, degraded: [...answer.degraded, embedded.degraded] }
  }

  /** Nothing is sent anywhere for a memory that is empty, and no secret of a question ever is. */
  private async embedQuestion(query: string, left: () => CallOptions): Promise<EmbeddedQuestion> {
    const { embedder, model } = this.parts
    if (embedder.isOff) return {}
    if (embedder.space !== undefined && (await model.clock(left())) === 0) return {}
    try {
      const asked = redact(shorten(query), rulesFor(this.redaction)).text
      return await embedder.question(asked, left())
    } catch {
      // A pattern of the user's own ran out of time on it: what may hold a secret is sent nowhere.
      return { degraded: 'embed_error: not_redacted' }
    }
  }

  /** Says which vector space a session writes in from now on, when that is not the one it said last. */
  private async nameSpace(session: Session | undefined, signal: AbortSignal | undefined): Promise<void> {
    const { embedder, projections } = this.parts
    const { space } = embedder
    if (space === undefined) return
    const said = session === undefined ? this.spaceSaid : projections.space(session).space?.fingerprint
    if (said === space.fingerprint) return
    await this.recorder.record(session, 'space', stamp => ({ v: SPACE_VERSION, ...stamp, ...space }), signal)
    if (session === undefined) this.spaceSaid = space.fingerprint
  }

  /** Leaves the event of a recall that was shown, without waiting for it to be folded. Never rejects. */
  recordRecall(record: RecallRecord, session: Session | undefined): Promise<void> {
    return this.recorder.leave(session, 'recall', stamp => recallEvent(record, stamp))
  }

  /** Leaves the event of a recall that a model asked for. It is never taken for one that was put before it. */
  async recordLookup(query: string, answer: RecallAnswer, session: Session | undefined): Promise<void> {
    const { id: own } = await this.parts.namespaces.of(session)
    const { symbols, outcome, degraded } = answer
    const hits = recalledIn(answer.hits, own)
    const pages = pagesRecalledIn(answer.pages, own)
    return this.recordRecall({ mode: 'tool', query, symbols, hits, pages, outcome, degraded }, session)
  }

  /** Every event that touched a block. */
  async history(id: string, session: Session | undefined, options: CallOptions = {}): Promise<HistoryAnswer> {
    const { model } = this.parts
    const left = timeLeft(options)
    const namespace = await this.namespaceOf(session, left())
    return model.history({ id, namespace: namespace.id }, left())
  }

  /** A block as it is now in this namespace; undefined when nothing is known of it. */
  async show(id: string, session: Session | undefined, options: CallOptions = {}): Promise<BlockView | undefined> {
    const { model } = this.parts
    const left = timeLeft(options)
    const namespace = await this.namespaceOf(session, left())
    return (await model.show({ id, namespace: namespace.id }, left()))[0]
  }

  /** An archived turn of this namespace, with its pages; null when it is not known. */
  async document(doc: string, session: Session | undefined, options: CallOptions = {}): Promise<DocumentAnswer | null> {
    const { model } = this.parts
    const left = timeLeft(options)
    const namespace = await this.namespaceOf(session, left())
    return model.document({ doc, namespace: namespace.id }, left())
  }

  /** How much there is, what keeps it from working fully, and how embedding goes in this process. */
  async stats(options?: CallOptions): Promise<MemoryStats> {
    const { embedder, model } = this.parts
    const stats = await model.stats(options)
    if (embedder.isOff) return stats
    const { backfill } = this
    return { ...stats, embedding: { ...embedder.state, ...(backfill && { backfill: backfill.state }) } }
  }

  private warn(error: unknown): void {
    this.ctx.logger.warn(`a vector space was not named: ${reasonOf(error)}`)
  }

  /** A subagent asks, and does not write unless it may. */
  private mayWrite(session: Session | undefined): void {
    if (session !== undefined && isSubagent(session) && !this.parts.config.subagents.write) {
      throw new CommandRefusedError(
        'subagent',
        'A subagent does not write to memory. Report this to the agent that asked you, or set `subagents.write`.',
      )
    }
  }

  private get redaction() {
    return this.parts.config.redaction
  }

  /** What is known of blocks, for deciding about them. */
  private async know({
    session,
    signal,
    ids,
    everywhere,
    pages = false,
    documents = false,
  }: Asked): Promise<KnownBlocks> {
    const { model } = this.parts
    const asked = Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
    const left = timeLeft({ deadline: LOOKUP_DEADLINE_MS, ...(signal && { signal }) })
    const namespace = await this.namespaceOf(session, left())
    const request = { ids: asked, pages, documents, ...(everywhere === true ? {} : { namespace: namespace.id }) }
    const known = await model.lookup(request, left())
    return new Map(known.map(block => [block.id, block]))
  }

  /** Finding it may mean reading files, which may hang. */
  private namespaceOf(session: Session | undefined, { deadline, signal }: CallOptions): Promise<Namespace> {
    return within(deadline, this.parts.namespaces.of(session), signal)
  }

  private pagesAsked(topK: number, scope: Scope, session: Session | undefined): PagesRequest {
    if (scope !== 'session') return { topK }
    return { topK, within: session === undefined ? [] : archivedDocs(this.parts.projections.archive(session)) }
  }

  /** Blocks the session has said, its inherited beginning included. */
  private saidIn(session: Session | undefined): string[] {
    return session === undefined ? [] : saidBlocks(this.parts.projections.blocks(session))
  }
}

function pending(...acks: readonly Ack[]): MaybePending {
  return acks.some(({ status }) => status === 'pending') ? { pending: true } : {}
}
