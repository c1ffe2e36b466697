import type { Session } from '@deepseek-ai/dsh-session'
import { reasonOf } from '../../events/index.ts'
import { pageKey } from '../../projections/index.ts'
import type { PageHit, RecallAnswer } from '../../readmodels/index.ts'
import type { Memory } from '../memory.ts'
import { within } from '../within.ts'
import type { Question } from './question.ts'

/**
 * What memory holds about a question, within the time that a step has for it. Resolves with nothing when it did not
 * answer, which is told in the harness's log. Never rejects.
 */
export async function askMemory(
  memory: Memory,
  session: Session,
  { words, names }: Question,
  signal: AbortSignal,
): Promise<RecallAnswer | undefined> {
  const { injection, cold } = memory.parts.config
  const { topK, floor, deadlineMs } = injection
  // More than are shown, because some may still be visible.
  const pages = cold.pages.inject ? { pages: cold.pages.topK * 3 } : {}
  const options = { topK: topK * 3, floor, signal, deadline: deadlineMs, ...pages }
  const both = async () => {
    const [first = names, ...more] = [words, names].filter(text => text !== '')
    const answers = [
      memory.recall(first, session, options),
      // Names are looked for as they are: there is nothing in them that an embedding would be near to.
      ...more.map(text => memory.recall(text, session, { ...options, wordsOnly: true })),
    ]
    return together(await Promise.all(answers))
  }
  try {
    // The deadline of the read model does not cover what comes before it, such as finding the namespace.
    return await within(deadlineMs, both(), signal)
  } catch (error) {
    memory.ctx.logger.warn(`memory did not answer: ${reasonOf(error)}`)
    return undefined
  }
}

/** The answer to the words, with what the names brought in every second place. */
function together([answer, byName]: readonly RecallAnswer[]): RecallAnswer | undefined {
  if (answer === undefined || byName === undefined) return answer
  if (byName.hits.length === 0 && byName.pages.length === 0) return answer
  const places = Math.max(answer.hits.length, byName.hits.length)
  const hits = Array.from({ length: places }, (_, at) => [answer.hits[at], byName.hits[at]])
    .flat()
    .filter(hit => hit !== undefined)
  return {
    ...answer,
    hits: [...new Map(hits.map(hit => [`${hit.namespace} ${hit.id}`, hit])).values()],
    pages: distinct([...answer.pages, ...byName.pages]),
    outcome: 'hits',
    symbols: [...new Set([...answer.symbols, ...byName.symbols])],
    degraded: [...new Set([...answer.degraded, ...byName.degraded])],
  }
}

/** Pages by score, each once, where its score is best. */
function distinct(pages: readonly PageHit[]): PageHit[] {
  const best = pages.toSorted((a, b) => b.score - a.score)
  return best.filter((page, at) => best.findIndex(other => pageKey(other) === pageKey(page)) === at)
}
