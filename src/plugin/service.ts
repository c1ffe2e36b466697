import { type Context, Service } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import type { CommitInput } from '../commands/index.ts'
import type { CallOptions, RecallAnswer, Stats } from '../readmodels/index.ts'
import type { Committed, Memory, RecallOptions } from './memory.ts'

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
    return this.memory.commit(input, { session: this.sessionOf(on), origin: 'api' })
  }

  /** Looks something up. The second argument is the number of hits, or all options. */
  recall(query: string, options: number | (RecallOptions & OnBehalf) = {}): Promise<RecallAnswer> {
    const all = typeof options === 'number' ? { topK: options } : options
    return this.memory.recall(query, this.sessionOf(all), all)
  }

  stats(options?: CallOptions): Promise<Stats> {
    return this.memory.stats(options)
  }

  private sessionOf({ session }: OnBehalf): Session | undefined {
    return session ?? this.ctx.agents.currentInitiator()?.session
  }
}
