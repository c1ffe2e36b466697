import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { z } from 'zod'
import { isOwnSource, readEvent } from '../events/index.ts'
import type { Unit } from './unit.ts'

/**
 * What was injected, as which message. An entry is made by the recall event; it counts once the log holds the message,
 * from which it gets its seq. Entries are packed strings: `seq or empty, tokens, block ids, message id`, the id last because
 * it may hold anything.
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

const stateSchema = z.object({ entries: z.array(z.string()) })
const viewSchema = z.object({ injections: z.number() })

export const recallUnit: Unit<RecallState, z.infer<typeof viewSchema>> = {
  key: 'hologram/recall',
  stateVersion: 1,
  viewSchema,
  emptyView: { injections: 0 },
  init: () => ({ entries: [] }),
  apply(state, event) {
    if (event.type === 'user/message') return land(state, event)
    const read = readEvent(event.type, event.data)
    if (read.kind !== 'event' || read.event.verb !== 'recall') return state
    const { message, mode, hits, tokens = 0 } = read.event.data
    if (mode !== 'inject' || message === undefined || hits.length === 0) return state
    return {
      entries: [...state.entries, pack('', tokens, hits.map(hit => hit.block).join(','), message)],
    }
  },
  view: state => ({ injections: injectedIn(state).length }),
  isState: (value): value is RecallState => stateSchema.safeParse(value).success,
}

/** The injected messages that reached the log, oldest first. */
export function injectedIn(state: RecallState): Injected[] {
  return state.entries
    .map(unpack)
    .filter(({ seq }) => seq !== '')
    .map(({ message, seq, tokens, blocks }) => ({
      message,
      seq: Number(seq),
      tokens: Number(tokens),
      blocks: blocks.split(','),
    }))
}

function land(state: RecallState, event: SessionEvent<'user/message'>): RecallState {
  const id = event.data?.id
  // A message that somebody else put there counts for nothing, whatever a recall event says of it.
  if (typeof id !== 'string' || !isOwnSource(event.data.source)) return state
  // The message follows its recall event closely; only the latest entries can still be waiting for it.
  const oldest = Math.max(0, state.entries.length - 8)
  for (let at = state.entries.length - 1; at >= oldest; at--) {
    const entry = unpack(state.entries[at] ?? '')
    if (entry.message !== id || entry.seq !== '') continue
    return { entries: state.entries.with(at, pack(event.seq, entry.tokens, entry.blocks, id)) }
  }
  return state
}

function pack(seq: number | '', tokens: number | string, blocks: string, message: string): string {
  return `${seq} ${tokens} ${blocks} ${message}`
}

function unpack(entry: string): { seq: string; tokens: string; blocks: string; message: string } {
  const [seq = '', tokens = '', blocks = '', ...message] = entry.split(' ')
  return { seq, tokens, blocks, message: message.join(' ') }
}
