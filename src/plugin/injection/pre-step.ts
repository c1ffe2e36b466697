import type { Agent, PreStepDecision } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Session, UserMessage } from '@deepseek-ai/dsh-session'
import type { RecallAnswer } from '../../readmodels/index.ts'
import { isHuman, isOwnRecall, isSubagent, recallSource } from '../host/sources.ts'
import type { Memory } from '../memory.ts'
import { within } from '../within.ts'
import { choose } from './choose.ts'
import { frame } from './frame.ts'
import { estimateTokens } from './tokens.ts'
import { visibleIn } from './visible.ts'
import { humanWords } from './words.ts'

/** The part of the host's payload that is used. */
export interface PreStep {
  readonly agent: Agent
  readonly messages: readonly UserMessage[]
  readonly signal: AbortSignal
}

/**
 * Asks memory for what the human's words recall, while the rest of the chain runs, and adds it to the messages that
 * enter the step. A turn never fails or waits because of it: whatever goes wrong, the decision goes on as it came.
 */
export async function recallBeforeStep(
  memory: Memory,
  step: PreStep,
  next: () => Promise<PreStepDecision>,
): Promise<PreStepDecision> {
  const asked = ask(memory, step)
  const decision = await next()
  if (asked === undefined) return decision
  try {
    const answer = await asked.answer
    if (answer === undefined) return decision
    return await inject(memory, step, decision, asked.query, answer)
  } catch (error) {
    memory.ctx.logger.warn(
      `nothing was recalled for this step: ${error instanceof Error ? error.message : String(error)}`,
    )
    return decision
  }
}

interface Asked {
  readonly query: string
  /** Never rejects. */
  readonly answer: Promise<RecallAnswer | undefined>
}

function ask(memory: Memory, { agent, messages, signal }: PreStep): Asked | undefined {
  try {
    const { inject, injection } = memory.parts.config
    if (!inject || signal.aborted || isSubagent(agent.session)) return undefined
    const query = humanWords(messages)
    if (query === '') return undefined
    const { topK, floor, deadlineMs } = injection
    // More than are shown, because some may still be visible.
    const asking = memory.recall(query, agent.session, { topK: topK * 3, floor, signal, deadline: deadlineMs })
    // The deadline of the read model does not cover what comes before it, such as finding the namespace.
    const answer = within(deadlineMs, asking, signal).catch((error: unknown) => {
      memory.ctx.logger.warn(`memory did not answer: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    })
    return { query, answer }
  } catch (error) {
    memory.ctx.logger.warn(`memory was not asked: ${String(error)}`)
    return undefined
  }
}

async function inject(
  memory: Memory,
  { agent, signal, messages }: PreStep,
  decision: PreStepDecision,
  query: string,
  answer: RecallAnswer,
): Promise<PreStepDecision> {
  if (decision.kind !== 'enter' || signal.aborted || answer.hits.length === 0) return decision
  if (!holdsHuman(decision.messages, messages) || decision.messages.some(isOwnRecall)) return decision
  const { injection } = memory.parts.config
  const shown = choose(answer.hits, visibleNow(memory, agent.session), injection)
  if (shown.length === 0) return decision
  const { id: own } = await memory.parts.namespaces.of(agent.session)
  const text = frame(shown)
  const message = createUserMessage({ content: [{ type: 'text', text }], source: recallSource() })
  await memory.recordRecall(
    {
      mode: 'inject',
      query,
      symbols: answer.symbols,
      hits: shown.map(({ hit }) => ({
        block: hit.id,
        score: hit.score,
        exact: hit.exact,
        // The reason quotes words of the block; those of another namespace do not enter this one's events.
        why: hit.namespace === own ? hit.why : '',
      })),
      message: message.id,
      tokens: estimateTokens(text),
      outcome: answer.outcome,
      degraded: answer.degraded,
    },
    agent.session,
  )
  return { ...decision, messages: [...decision.messages, message] }
}

/** A batch that lost the human's message must not be added to: it would start a model call of its own. */
function holdsHuman(entering: readonly UserMessage[], claimed: readonly UserMessage[]): boolean {
  const ids = new Set<string>(claimed.filter(isHuman).map(({ id }) => id))
  return entering.some(({ id }) => ids.has(id))
}

function visibleNow(memory: Memory, session: Session) {
  const { projections } = memory.parts
  return visibleIn(session, projections.recall(session), projections.blocks(session))
}
