import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { z } from 'zod'
import { isOwnSource, readEvent } from '../events/index.ts'
import type { Unit } from './unit.ts'

/**
 * What was injected, as which message. An entry is made by the recall event; it counts once the log holds the message,
 * from which it gets its seq. Entries are packed strings: `place, tokens, block ids, message id`, the id last because it
 * may hold anything. The place is the seq of the message, or `~` and the seq of the recall event until it is there. What the
 * model looked up itself is an entry without a message: `?` and the seq of the event, then `=` and that of the tool's result.
 */
export interface RecallState {
  readonly entries: readonly string[]
}

/** One injected message that is in the log. */
export interface Injected {
  readonly message: string
  readonly seq: number
  readonly tokens: number
  /** Block ids, and `pageKey`s of pages. Empty for a message that only says what memory does not hold. */
  readonly blocks: readonly string[]
}

/** One message that a recall event speaks of and the log does not hold, or not yet: `seq` is that event's. */
export type Awaited = Injected

/** Entries that may still be waiting for their message: those of one step, whose tools can all have one. */
const WAITING = 64

const stateSchema = z.object({ entries: z.array(z.string()) })
const viewSchema = z.object({ injections: z.number() })

export const recallUnit: Unit<RecallState, z.infer<typeof viewSchema>> = {
  key: 'hologram/recall',
  stateVersion: 2,
  viewSchema,
  emptyView: { injections: 0 },
  init: () => ({ entries: [] }),
  apply(state, event) {
    if (event.type === 'user/message') return land(state, event)
    if (event.type === 'tool/result') return answer(state, event)
    const read = readEvent(event.type, event.data)
    if (read.kind !== 'event' || read.event.verb !== 'recall') return state
    const { message, mode, hits, pages = [], tokens = 0 } = read.event.data
    const blocks = [...hits.map(hit => hit.block), ...pages.map(pageKey)].join(',')
    if (mode === 'tool' && blocks !== '') return { entries: [...state.entries, pack(`?${event.seq}`, 0, blocks, '')] }
    if (mode !== 'inject' || message === undefined) return state
    return { entries: [...state.entries, pack(`~${event.seq}`, tokens, blocks, message)] }
  },
  view: state => ({ injections: injectedIn(state).length }),
  isState: (value): value is RecallState => stateSchema.safeParse(value).success,
}

/** The name of a page of a cold document among what was injected. */
export function pageKey({ doc, page }: { readonly doc: string; readonly page: number }): string {
  return `${doc}#${page}`
}

/** The injected messages that reached the log, oldest first. */
export function injectedIn(state: RecallState): Injected[] {
  return state.entries
    .map(unpack)
    .filter(({ place }) => /^\d/.test(place))
    .map(toInjected)
}

/** What the model looked up itself: the seq of the tool's result, and the blocks that it shows. */
export function lookedUpIn(state: RecallState): Pick<Injected, 'seq' | 'blocks'>[] {
  return state.entries
    .map(unpack)
    .filter(({ place }) => place.startsWith('='))
    .map(toInjected)
}

/** The newest messages that the log does not hold yet, oldest first. One that was dropped on its way stays among them. */
export function awaitedIn(state: RecallState): Awaited[] {
  return state.entries
    .slice(-WAITING)
    .map(unpack)
    .filter(({ place }) => isAwaited(place))
    .map(toInjected)
}

function toInjected({ message, place, tokens, blocks }: Entry): Injected {
  return {
    message,
    seq: Number(place.replace(/^\D/, '')),
    tokens: Number(tokens),
    blocks: blocks === '' ? [] : blocks.split(','),
  }
}

function isAwaited(place: string): boolean {
  return place.startsWith('~')
}

function land(state: RecallState, event: SessionEvent<'user/message'>): RecallState {
  const id = event.data?.id
  // A message that somebody else put there counts for nothing, whatever a recall event says of it.
  if (typeof id !== 'string' || !isOwnSource(event.data.source)) return state
  // The message follows its recall event closely; only the latest entries can still be waiting for it.
  const oldest = Math.max(0, state.entries.length - WAITING)
  for (let at = state.entries.length - 1; at >= oldest; at--) {
    const entry = unpack(state.entries[at] ?? '')
    if (entry.message !== id || !isAwaited(entry.place)) continue
    return { entries: state.entries.with(at, pack(event.seq, entry.tokens, entry.blocks, id)) }
  }
  return state
}

/** The result that shows what was looked up just before: it names every block. */
function answer(state: RecallState, event: SessionEvent<'tool/result'>): RecallState {
  const oldest = Math.max(0, state.entries.length - WAITING)
  let text: string | undefined
  for (let at = state.entries.length - 1; at >= oldest; at--) {
    const { place, tokens, blocks } = unpack(state.entries[at] ?? '')
    if (!place.startsWith('?')) continue
    text ??= JSON.stringify(event.data?.message ?? '')
    if (!blocks.split(',').every(id => text?.includes(id))) continue
    return { entries: state.entries.with(at, pack(`=${event.seq}`, tokens, blocks, '')) }
  }
  return state
}

interface Entry {
  readonly place: string
  readonly tokens: string
  readonly blocks: string
  readonly message: string
}

function pack(place: string | number, tokens: number | string, blocks: string, message: string): string {
  return `${place} ${tokens} ${blocks} ${message}`
}

function unpack(entry: string): Entry {
  const [place = '', tokens = '', blocks = '', ...message] = entry.split(' ')
  return { place, tokens, blocks, message: message.join(' ') }
}
