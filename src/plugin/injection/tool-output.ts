import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import type { PostToolDecision, ToolExecution, ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { reasonOf } from '../../events/index.ts'
import type { RecallAnswer } from '../../readmodels/index.ts'
import { latestTurnStart } from '../host/session-reader.ts'
import { isOwnRecall, isSubagent } from '../host/sources.ts'
import type { Memory } from '../memory.ts'
import { isOwnTool } from '../tools/own.ts'
import { askMemory } from './ask.ts'
import { messageFor } from './message.ts'
import { namesAsked } from './question.ts'
import { textOf } from './words.ts'

/** Recalls for what tools return, where `injection.toolOutput` is set. */
export function recallAfterTools(ctx: Context, memory: Memory): void {
  if (!memory.parts.config.inject || !memory.parts.config.injection.toolOutput) return
  /** The turn in which memory did not answer in time: the tools that follow in it do not wait again. */
  const slow = new WeakMap<Session, number>()
  // Outermost, so that what others made of the result is known.
  ctx.on('tools/post-execute', (exec, result, next) => recallAfterTool(memory, slow, { exec, result }, next), {
    prepend: true,
  })
}

interface Ran {
  readonly exec: ToolExecution
  readonly result: Readonly<ToolExecutionResult>
}

/**
 * Asks memory for the names in what a tool returned, while the rest of the chain runs, and hands what it recalls to the
 * host, which puts it before the model with the next step. A tool never fails because of it and waits for the deadline
 * at most, once in a turn.
 */
async function recallAfterTool(
  memory: Memory,
  slow: WeakMap<Session, number>,
  ran: Ran,
  next: () => Promise<PostToolDecision>,
): Promise<PostToolDecision> {
  const asked = ask(memory, slow, ran)
  const decision = await next()
  if (asked === undefined || decision.kind !== 'accept') return decision
  try {
    const { session, query } = asked
    const answer = await asked.answer
    const { signal } = ran.exec
    if (answer === undefined && !signal.aborted) slow.set(session, latestTurnStart(session))
    if (answer === undefined || signal.aborted || decision.additionalContexts?.some(isOwnRecall)) return decision
    const message = await messageFor(memory, session, { query, answer, mayRefuse: false })
    if (message === undefined) return decision
    return { ...decision, additionalContexts: [...(decision.additionalContexts ?? []), message] }
  } catch (error) {
    memory.ctx.logger.warn(`nothing was recalled for the result of a tool: ${reasonOf(error)}`)
    return decision
  }
}

interface Asked {
  readonly session: Session
  readonly query: string
  /** Never rejects. */
  readonly answer: Promise<RecallAnswer | undefined>
}

function ask(memory: Memory, slow: WeakMap<Session, number>, { exec, result }: Ran): Asked | undefined {
  try {
    const { agent, signal, name, parent } = exec
    // A result inside a program is seen by that program only; one that ends the turn must not begin another step.
    if (agent === undefined || parent !== undefined || result.concludesTurn || signal.aborted) return undefined
    const { session } = agent
    // What our own tools return came out of memory, and is never a question.
    if (isOwnTool(name) || isSubagent(session) || slow.get(session) === latestTurnStart(session)) return undefined
    const text = textOf(result)
    // A program that called one of them may have printed what it got.
    const query = text.includes('<note id="blk_') ? '' : namesAsked(text.split('\n'))
    if (query === '') return undefined
    return { session, query, answer: askMemory(memory, session, { words: '', names: query }, signal) }
  } catch (error) {
    memory.ctx.logger.warn(`memory was not asked about the result of a tool: ${String(error)}`)
    return undefined
  }
}
