import type { Session } from '@deepseek-ai/dsh-session'
import type { Memory } from '../memory.ts'

/** One line that a human typed. */
export interface Call {
  readonly memory: Memory
  readonly session: Session
  /** What follows the verb, trimmed. */
  readonly rest: string
  readonly signal: AbortSignal
}

/** How long a question may take, in milliseconds: a human is waiting for it and for nothing else. */
export const DEADLINE_MS = 10_000
