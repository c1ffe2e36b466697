import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import {
  blocksOfEdge,
  CommandRefusedError,
  type CommitInput,
  decideCommit,
  decideLink,
  decideMerge,
  decidePurge,
  decideUnlink,
  type EdgeInput,
  type KnownBlocks,
  type MergeInput,
  type PurgeInput,
  type RecallRecord,
  recallEvent,
} from '../commands/index.ts'
import { type Origin, SPACE_VERSION } from '../events/index.ts'
import { saidBlocks } from '../projections/index.ts'
import type {
  Ack,
  CallOptions,
  HistoryAnswer,
  NearBlock,
  RecallAnswer,
  RecallFilters,
  Scope,
  Stats,
} from '../readmodels/index.ts'
import { redact, rulesFor } from '../redaction/index.ts'
import type { Config } from './config.ts'
import type { EmbeddedQuestion, Embedder } from './embedding/embedder.ts'
import { isSubagent } from './host/sources.ts'
import { shorten } from './injection/words.ts'
import { Recorder, type RecorderParts } from './recorder.ts'

/** In whose name an act is done. */
export interface Who {
  readonly session?: Session | undefined
  readonly origin: Origin
  readonly signal?: AbortSignal
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

/** What a recall may ask for; settings fill in the rest. */
export interface RecallOptions extends CallOptions {
  readonly topK?: number
  readonly offset?: number
  /** Blocks linked with the hits, appended after them: this many at most. */
  readonly associate?: number
  /** The answer of a vector search of the caller's own, and how it is fused with that of words. */
  readonly near?: readonly NearBlock[]
  readonly fusion?: 'rank' | 'weighted'
  readonly scope?: Scope
  readonly floor?: number
  readonly history?: boolean
  /** Further questions; their answers are fused with those of the first. */
  readonly alsoAsk?: readonly string[]
  readonly filters?: RecallFilters
}

/** How long a question that an act depends on may take, in milliseconds. */
const LOOKUP_DEADLINE_MS = 10_000

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
  /** The space last named outside of any session. */
  private spaceSaid: string | undefined

  constructor(ctx: Context, parts: MemoryParts) {
    this.ctx = ctx
    this.parts = parts
    this.recorder = new Recorder(ctx, parts)
  }

  /** Remembers a text. Resolves when its event is journaled and folded. */
  async commit(input: CommitInput, { session, origin, signal }: Who): Promise<Committed> {
    this.mayWrite(session)
    const draft = decideCommit(input, origin, this.parts.config)
    // An abort ends the wait for the vector, and the memory is kept without one.
    const brought = await this.parts.embedder.document(draft.text, signal)
    if (brought.vector !== undefined) await this.nameSpace(session).catch((error: unknown) => this.warn(error))
    const ack = await this.recorder.record(session, 'commit', stamp => ({ ...draft.stamp(stamp), ...brought }))
    return { id: draft.block, created: ack.created, ...pending(ack) }
  }

  /** Ties two things together. */
  async link(input: EdgeInput, { session, origin }: Who): Promise<MaybePending> {
    this.mayWrite(session)
    const draft = decideLink(input, origin, await this.know(session, blocksOfEdge(input)), this.redaction)
    return pending(await this.recorder.record(session, 'link', draft.stamp))
  }

  /** Ends an edge. */
  async unlink(input: EdgeInput, { session, origin }: Who): Promise<MaybePending> {
    this.mayWrite(session)
    return pending(await this.recorder.record(session, 'unlink', decideUnlink(input, origin, this.redaction).stamp))
  }

  /** Makes two blocks one. */
  async merge(input: MergeInput, { session, origin }: Who): Promise<Merged> {
    this.mayWrite(session)
    const known = await this.know(session, [input.keep, input.drop], input.everywhere)
    const draft = decideMerge(input, origin, known, this.redaction)
    const ack = await this.recorder.record(session, 'merge', draft.stamp)
    return { keep: draft.keep, drop: draft.drop, ...pending(ack) }
  }

  /** Forgets blocks. */
  async purge(input: PurgeInput, { session, origin }: Who): Promise<Purged> {
    this.mayWrite(session)
    const known = await this.know(session, input.ids, input.everywhere)
    const draft = decidePurge(input, origin, known, this.redaction)
    const ack = await this.recorder.record(session, 'purge', draft.stamp)
    return { ids: draft.ids, ...pending(ack) }
  }

  /** What memory holds about a question. Never rejects for a lack of hits; rejects when the read model cannot answer. */
  async recall(query: string, session: Session | undefined, options: RecallOptions = {}): Promise<RecallAnswer> {
    const { model, namespaces, config } = this.parts
    const { signal, deadline, scope = config.recall.scope, ...asked } = options
    const namespace = await namespaces.of(session)
    const embedded = await this.embedQuestion(query, { ...(signal && { signal }), ...(deadline && { deadline }) })
    const answer = await model.recall(
      {
        topK: config.topK,
        floor: config.recall.floor,
        ...asked,
        query,
        scope,
        namespace: namespace.id,
        ...(scope === 'session' ? { within: this.saidIn(session) } : {}),
        ...(embedded.vector === undefined ? {} : { vector: embedded.vector }),
      },
      { ...(signal === undefined ? {} : { signal }), ...(deadline === undefined ? {} : { deadline }) },
    )
    this.recorder.observe(answer.clock)
    if (embedded.degraded === undefined) return answer
    return { ...answer, degraded: [...answer.degraded, embedded.degraded] }
  }

  /** Nothing is sent anywhere for a memory that is empty, and no secret of a question ever is. */
  private async embedQuestion(query: string, options: CallOptions): Promise<EmbeddedQuestion> {
    const { embedder, model } = this.parts
    if (embedder.isOff) return {}
    if (embedder.space !== undefined && (await model.clock(options)) === 0) return {}
    try {
      const asked = redact(shorten(query), rulesFor(this.redaction)).text
      return await embedder.question(asked, options)
    } catch {
      // A pattern of the user's own ran out of time on it: what may hold a secret is sent nowhere.
      return { degraded: 'embed_error: not_redacted' }
    }
  }

  /** Says which vector space a session writes in from now on, when that is not the one it said last. */
  private async nameSpace(session: Session | undefined): Promise<void> {
    const { embedder, projections } = this.parts
    const { space } = embedder
    if (space === undefined) return
    const said = session === undefined ? this.spaceSaid : projections.space(session).space?.fingerprint
    if (said === space.fingerprint) return
    await this.recorder.record(session, 'space', stamp => ({ v: SPACE_VERSION, ...stamp, ...space }))
    if (session === undefined) this.spaceSaid = space.fingerprint
  }

  /** Leaves the event of a recall that was shown, without waiting for it to be folded. Never rejects. */
  recordRecall(record: RecallRecord, session: Session): Promise<void> {
    return this.recorder.leave(session, 'recall', stamp => recallEvent(record, stamp))
  }

  /** Every event that touched a block. */
  async history(id: string, session: Session | undefined, options: CallOptions = {}): Promise<HistoryAnswer> {
    const { model, namespaces } = this.parts
    const namespace = await namespaces.of(session)
    return model.history({ id, namespace: namespace.id }, options)
  }

  stats(options?: CallOptions): Promise<Stats> {
    return this.parts.model.stats(options)
  }

  private warn(error: unknown): void {
    this.ctx.logger.warn(`a vector space was not named: ${error instanceof Error ? error.message : String(error)}`)
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
  private async know(
    session: Session | undefined,
    ids: readonly string[],
    everywhere: boolean | undefined = false,
  ): Promise<KnownBlocks> {
    const { model, namespaces } = this.parts
    const asked = Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
    const namespace = await namespaces.of(session)
    const request = everywhere === true ? { ids: asked } : { ids: asked, namespace: namespace.id }
    const known = await model.lookup(request, { deadline: LOOKUP_DEADLINE_MS })
    return new Map(known.map(block => [block.id, block]))
  }

  /** Blocks the session has said, its inherited beginning included. */
  private saidIn(session: Session | undefined): string[] {
    return session === undefined ? [] : saidBlocks(this.parts.projections.blocks(session))
  }
}

function pending(ack: Ack): MaybePending {
  return ack.status === 'pending' ? { pending: true } : {}
}
