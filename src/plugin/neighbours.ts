import type { Session } from '@deepseek-ai/dsh-session'
import { type CallOptions, parseFact } from '../readmodels/index.ts'
import { shorten } from './injection/words.ts'
import type { Memory } from './memory.ts'
import { timeLeft } from './within.ts'

/** What memory holds about the subject of something just committed. */
export interface Neighbours {
  /** Memories that it replaced by being said, and why. */
  readonly replaced: ReadonlyArray<{ readonly id: string; readonly reason: string }>
  /** Others that still count and are about the same, closest first. */
  readonly close: ReadonlyArray<{ readonly id: string; readonly text: string }>
}

export const NO_NEIGHBOURS: Neighbours = { replaced: [], close: [] }

/**
 * How relevant a memory must be to be about the same, 0 to 1. Sentences on one subject with another value score .41 to .55
 * in English and Chinese, those that share a common word .13 to .25.
 */
const CLOSE = 0.4
const MOST = 2
/** Beyond this a text says more than one thing, in characters. */
const LONGEST = 500
/** Values differ where something has changed, and a value that memory never saw would have the question refused. */
const NUMBERS = /[\p{N}][\p{N}.,:/-]*/gu

/** Never rejects: the commit it is asked about is done. */
export async function neighboursOf(
  memory: Memory,
  committed: { readonly id: string; readonly text: string },
  session: Session | undefined,
  options: CallOptions,
): Promise<Neighbours> {
  const left = timeLeft(options)
  try {
    const [view, answer] = await Promise.all([
      memory.show(committed.id, session, left()),
      committed.text.length > LONGEST
        ? undefined
        : memory.recall(shorten(committed.text).replace(NUMBERS, ' '), session, {
            ...left(),
            scope: 'namespace',
            wordsOnly: true,
            topK: 3 * MOST + 2,
            floor: CLOSE,
          }),
    ])
    const own = new Set([committed.id, ...(view?.ids ?? [])])
    return {
      replaced: (view?.replacements ?? []).filter(({ by }) => own.has(by)).map(({ id, reason }) => ({ id, reason })),
      close: (answer?.hits ?? [])
        .filter(({ id, text }) => !own.has(id) && !isOtherFact(text, committed.text))
        .slice(0, MOST)
        .map(({ id, text }) => ({ id, text })),
    }
  } catch {
    return NO_NEIGHBOURS
  }
}

/** Of two facts that name their subjects, one with another subject or dimension has nothing to do with the other. */
function isOtherFact(text: string, committed: string): boolean {
  return parseFact(text) !== undefined && parseFact(committed) !== undefined
}
