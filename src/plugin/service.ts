import { type Context, type Fiber, Service } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import type { CommitInput, EdgeInput, MergeInput, PurgeInput } from '../commands/index.ts'
import type { CallOptions, HistoryAnswer, RecallAnswer } from '../readmodels/index.ts'
import type { Committed, MaybePending, Memory, MemoryStats, Merged, Purged, Who } from './memory.ts'
import type { RecallOptions } from './recall-options.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    stablemem: StableMemory
  }
}

/** In whose name a call is made. Without it: the agent whose run the call is part of, or no session at all. */
export interface OnBehalf {
  readonly session?: Session
}

/** `ctx.stablemem`: the memory, for other plugins. */
export class StableMemory extends Service {
  private readonly memory: Memory

  constructor(ctx: Context, memory: Memory) {
    super(ctx, 'stablemem')
    this.memory = memory
  }

  /**
   * Remembers a text.
   * @throws CommandRefusedError for bad input; MemoryUnavailableError when it could not be acknowledged.
   */
  commit(input: CommitInput, on: OnBehalf = {}): Promise<Committed> {
    return this.memory.commit(input, this.who(on))
  }

  /**
   * Looks something up. The second argument is the number of hits, or all options.
   * @throws CommandRefusedError for options that cannot be; ReadModelError when memory cannot be asked.
   */
  recall(query: string, options: number | (RecallOptions & OnBehalf) = {}): Promise<RecallAnswer> {
    if (typeof options === 'number') return this.memory.recall(query, this.sessionOf({}), { topK: options })
    const { session, ...asked } = options
    return this.memory.recall(query, this.sessionOf(session === undefined ? {} : { session }), asked)
  }

  /** Ties two things together. */
  link(input: EdgeInput, on: OnBehalf = {}): Promise<MaybePending> {
    return this.memory.link(input, this.who(on))
  }

  /** Ends an edge. */
  unlink(input: EdgeInput, on: OnBehalf = {}): Promise<MaybePending> {
    return this.memory.unlink(input, this.who(on))
  }

  /** Makes two blocks one: the dropped id becomes an alias of the kept one. */
  merge(input: MergeInput, on: OnBehalf = {}): Promise<Merged> {
    return this.memory.merge(input, this.who(on))
  }

  /** Forgets blocks. The host's own log of what was said is not erased. */
  purge(input: PurgeInput, on: OnBehalf = {}): Promise<Purged> {
    return this.memory.purge(input, this.who(on))
  }

  /** Every event that touched a block, in event order. */
  history(id: string, options: CallOptions & OnBehalf = {}): Promise<HistoryAnswer> {
    return this.memory.history(id, this.sessionOf(options), options)
  }

  stats(options?: CallOptions): Promise<MemoryStats> {
    return this.memory.stats(options)
  }

  private who(on: OnBehalf): Who {
    return { session: this.sessionOf(on), origin: 'api' }
  }

  private sessionOf({ session }: OnBehalf): Session | undefined {
    return session ?? this.ctx.agents.currentInitiator()?.session
  }
}

/**
 * Gives `ctx.stablemem` to other plugins. One mount provides it; a second in the same harness has its tools, under
 * another `toolName`, and takes the service over when the first is gone.
 */
export function provideService(ctx: Context, memory: Memory): void {
  let offered: Fiber | undefined
  const offer = () => {
    // Not only what is active counts: one that is starting would be in the way.
    if (ctx.reflect.get('stablemem', false) !== undefined) return
    const before = offered
    offered = ctx.plugin({
      name: 'stablemem',
      apply(inner) {
        // Of several that are left, the first takes it.
        if (inner.reflect.get('stablemem', false) === undefined) new StableMemory(inner, memory)
      },
    })
    void before?.dispose()
  }
  offer()
  // Registered after the service, so that it is gone when our own service ends.
  ctx.on('internal/service', (name, value) => {
    if (name === 'stablemem' && value === undefined) offer()
  })
}
