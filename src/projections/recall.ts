import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { z } from 'zod'
import { readEvent } from '../events/index.ts'
import type { Unit } from './unit.ts'

/**
 * What was injected, as which message. An entry is made by the recall event; it counts once the log holds the message,
 * from which it gets its seq. Entries are packed strings: `message id, seq or empty, tokens, block ids`.
 */
export interface RecallState {
  readonly entries: readonly string[]
}

/** One injected message that is in the log. */
export interface Injected {
  readonly message: string
  readonly seq: number
  readonly tokens: number
  readonly blocks: readonly string[]
}

const viewSchema = z.object({ injections: z.number() })

export const recallUnit: Unit<RecallState, z.infer<typeof viewSchema>> = {
  key: 'hologram/recall',
  stateVersion: 1,
  viewSchema,
  init: () => ({ entries: [] }),
  apply(state, event) {
    if (event.type === 'user/message') return land(state, event)
    const read = readEvent(event.type, event.data)
    if (read.kind !== 'event' || read.event.verb !== 'recall') return state
    const { message, mode, hits, tokens = 0 } = read.event.data
    if (mode !== 'inject' || message === undefined || hits.length === 0) return state
    return {
      entries: [...state.entries, pack(message, '', tokens, hits.map(hit => hit.block).join(','))],
    }
  },
  view: ({ entries }) => ({ injections: entries.length }),
  isState: (value): value is RecallState =>
    typeof value === 'object' && value !== null && 'entries' in value && Array.isArray(value.entries),
}

/** The injected messages that reached the log, oldest first. */
export function injectedIn(state: RecallState): Injected[] {
  return state.entries.map(unpack).filter(entry => entry !== undefined)
}

function land(state: RecallState, event: SessionEvent<'user/message'>): RecallState {
  const id = event.data?.id
  if (typeof id !== 'string') return state
  // The message follows its recall event closely; only the latest entries can still be waiting for it.
  const oldest = Math.max(0, state.entries.length - 8)
  for (let at = state.entries.length - 1; at >= oldest; at--) {
    const [message, seq, tokens = '0', blocks = ''] = (state.entries[at] ?? '').split(' ')
    if (message !== id || seq !== '') continue
    return { entries: state.entries.with(at, pack(id, event.seq, tokens, blocks)) }
  }
  return state
}

function pack(message: string, seq: number | '', tokens: number | string, blocks: string): string {
  return `${message} ${seq} ${tokens} ${blocks}`
}

function unpack(entry: string): Injected | undefined {
  const [message, seq, tokens, blocks] = entry.split(' ')
  if (message === undefined || seq === undefined || seq === '' || blocks === undefined) return undefined
  return { message, seq: Number(seq), tokens: Number(tokens), blocks: blocks.split(',') }
}
