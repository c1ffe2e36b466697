/** Turns of a few words, and a store that was handed them. */
import type { StoredEvent } from '../../../src/events/index.ts'
import type { RecallAnswer } from '../../../src/readmodels/index.ts'
import type { Store } from '../../../src/readmodels/worker/store.ts'
import { NS_A } from '../../support/events.ts'
import { archiveOf, assistantMessage, type HostEvent, type Turn, userMessage } from '../../support/turns.ts'
import { newHome, store } from '../worker/stores.ts'
import { materialOf } from './logs.ts'

/** A turn of a question and an answer, with calls whose ids are given. */
export function spoken(
  n: number,
  words: string,
  answer = 'noted',
  calls: ReadonlyArray<readonly [string, string, string]> = [],
) {
  const events: HostEvent[] = [userMessage(`q${n}`, words), assistantMessage(`a${n}`, answer, n, 0)]
  for (const [callId, args, result] of calls) {
    events.push({ type: 'tool/call', time: 1, data: { turn: n, step: 0, callId, name: 'bash', arguments: args } })
    const block = { type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: result }] }
    events.push({
      type: 'tool/result',
      time: 1,
      surfaceOp: 'append',
      data: { turn: n, step: 0, message: { id: `r${n}`, content: [block] } },
    })
  }
  return { events, messages: [`q${n}`, `a${n}`], calls: calls.map(([id]) => id), pages: [] } satisfies Turn
}

/** A store in memory that was handed these turns, each archived as it ended. */
export function told(turns: readonly Turn[], before: readonly StoredEvent[] = [], over = {}): Store {
  const one = store(newHome(), { path: ':memory:' })
  one.fold(before)
  for (const [at, turn] of turns.entries()) {
    const event = archiveOf(turn, at + 1, 's1', over)
    one.fold([{ type: 'hologram/archive', data: event }])
    one.supply([materialOf(event, 's1', turn.events)])
  }
  return one
}

export const ask = (one: Store, query: string): RecallAnswer =>
  one.recall({ query, scope: 'namespace', namespace: NS_A.id, topK: 5, pages: { topK: 5 } })
