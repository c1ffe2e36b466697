import type { Agent, PreStepDecision } from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import { reasonOf } from '../../events/index.ts'
import type { RecallAnswer } from '../../readmodels/index.ts'
import { isHuman, isOwnRecall, isSubagent } from '../host/sources.ts'
import type { Memory } from '../memory.ts'
import { askMemory } from './ask.ts'
import { messageFor } from './message.ts'
import { asks, questionOf } from './question.ts'
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
    if (answer === undefined || step.signal.aborted || !mayAdd(decision, step.messages)) return decision
    const { query, mayRefuse } = asked
    const message = await messageFor(memory, step.agent.session, { query, answer, mayRefuse })
    return message === undefined ? decision : { ...decision, messages: [...decision.messages, message] }
  } catch (error) {
    memory.ctx.logger.warn(`nothing was recalled for this step: ${reasonOf(error)}`)
    return decision
  }
}

interface Asked {
  readonly query: string
  readonly mayRefuse: boolean
  /** Never rejects. */
  readonly answer: Promise<RecallAnswer | undefined>
}

function ask(memory: Memory, { agent, messages, signal }: PreStep): Asked | undefined {
  try {
    if (!memory.parts.config.inject || signal.aborted || isSubagent(agent.session)) return undefined
    const query = humanWords(messages)
    if (query === '') return undefined
    const question = questionOf(query)
    if (question.words === '' && question.names === '') return undefined
    return { query, mayRefuse: asks(question.words), answer: askMemory(memory, agent.session, question, signal) }
  } catch (error) {
    memory.ctx.logger.warn(`memory was not asked: ${String(error)}`)
    return undefined
  }
}

type Enter = Extract<PreStepDecision, { kind: 'enter' }>

/**
 * Whether a message may be added. A batch that lost the human's message must not be added to: it would start a model call
 * of its own. One that another mount has added to has what it needs; what a tool brought was there before.
 */
function mayAdd(decision: PreStepDecision, claimed: readonly UserMessage[]): decision is Enter {
  if (decision.kind !== 'enter') return false
  const before = new Set<string>(claimed.map(({ id }) => id))
  const human = new Set<string>(claimed.filter(isHuman).map(({ id }) => id))
  return (
    decision.messages.some(({ id }) => human.has(id)) &&
    !decision.messages.some(message => isOwnRecall(message) && !before.has(message.id))
  )
}
