import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { z } from 'zod'
import { documentId, readEvent, readSaid } from '../events/index.ts'
import { emptyShards, ids, lookup, type Shards, store } from './shards.ts'
import type { Unit } from './unit.ts'

/** The turn that is open: where it began, and what became of it so far. Places are seqs, −1 for none. */
export interface OpenTurn {
  readonly turn: number
  readonly from: number
  /** Of the last thing that was said in it. */
  readonly last: number
  /** Up to which its document cites it. */
  readonly archived: number
  /** Id of its document, by the human's first message; empty while no human has spoken. */
  readonly doc: string
}

/**
 * Which turns are cold documents, and which are to become ones. A document's value is `a` when it was archived, then
 * `w.from.to.ended` when something that was said in its turn is not archived and the turn is over.
 */
export interface ArchiveState {
  readonly open: OpenTurn | null
  readonly docs: Shards
  readonly counts: { readonly documents: number; readonly unarchived: number }
}

/** A turn that is over and not archived, or not to its end. */
export interface EndedTurn {
  readonly doc: string
  /** Seqs of its beginning and of the last thing said in it. */
  readonly from: number
  readonly to: number
  /** Kind of its `turn/end`, or `interrupted` where the log has none. */
  readonly ended: string
}

/** Longest kind of a `turn/end` that is kept. */
const MAX_KIND = 40
const NO_END = 'interrupted'

const stateSchema = z.object({
  open: z
    .object({ turn: z.number(), from: z.number(), last: z.number(), archived: z.number(), doc: z.string() })
    .nullable(),
  docs: z.array(z.string()),
  counts: z.object({ documents: z.number(), unarchived: z.number() }),
})
const viewSchema = z.object({ documents: z.number(), unarchived: z.number() })

export const archiveUnit: Unit<ArchiveState, z.infer<typeof viewSchema>> = {
  key: 'hologram/archive',
  stateVersion: 1,
  viewSchema,
  emptyView: { documents: 0, unarchived: 0 },
  init: () => ({ open: null, docs: emptyShards(), counts: { documents: 0, unarchived: 0 } }),
  apply(state, event) {
    switch (event.type) {
      // Most events of a log are these.
      case 'assistant/chunk':
        return state
      case 'turn/start':
        return start(close(state, NO_END), event)
      case 'turn/end':
        return close(state, String(event.data?.reason?.kind ?? NO_END))
      case 'session/end-seed':
        // A fork that was cut within a turn: the turn goes on, and is archived, where it was begun.
        return state.open === null ? state : { ...state, open: null }
      case 'user/message':
      case 'assistant/message':
      case 'tool/call':
      case 'tool/result':
        return say(state, event)
      default:
        return archive(state, event)
    }
  },
  view: ({ counts }) => counts,
  isState: (value): value is ArchiveState => stateSchema.safeParse(value).success,
}

/** Ids of the documents this session has archived, its inherited beginning included. */
export function archivedDocs(state: ArchiveState): string[] {
  return ids(state.docs).filter(doc => isArchived(lookup(state.docs, doc)))
}

/** Turns with human words that are over and not archived to their end, oldest first. */
export function endedTurns(state: ArchiveState): EndedTurn[] {
  if (state.counts.unarchived === 0) return []
  return ids(state.docs)
    .flatMap(doc => {
      const waiting = unpack(lookup(state.docs, doc))
      return waiting === undefined ? [] : [{ doc, ...waiting }]
    })
    .sort((a, b) => a.from - b.from)
}

function start(state: ArchiveState, event: SessionEvent<'turn/start'>): ArchiveState {
  const turn = event.data?.turn
  const open = {
    turn: Number.isSafeInteger(turn) && turn >= 0 ? turn : 0,
    from: event.seq,
    last: -1,
    archived: -1,
    doc: '',
  }
  return { ...state, open }
}

function say(state: ArchiveState, event: SessionEvent): ArchiveState {
  const { open } = state
  if (open === null) return state
  const said = readSaid(event)
  if (said === undefined) return state
  const isFirst = open.doc === '' && said.kind === 'message' && said.role === 'user'
  return { ...state, open: { ...open, last: event.seq, doc: isFirst ? documentId(said.id) : open.doc } }
}

function archive(state: ArchiveState, event: SessionEvent): ArchiveState {
  const read = readEvent(event.type, event.data)
  if (read.kind !== 'event' || read.event.verb !== 'archive') return state
  const { doc, span } = read.event.data
  const through = span?.to ?? event.seq
  const marked = put(state, doc, before => {
    const waiting = unpack(before)
    return waiting === undefined || waiting.to <= through ? 'a' : `a${before?.replace(/^a/, '')}`
  })
  const { open } = marked
  if (open?.doc !== doc || through <= open.archived) return marked
  return { ...marked, open: { ...open, archived: through } }
}

function close(state: ArchiveState, ended: string): ArchiveState {
  const { open } = state
  if (open === null) return state
  const closed = { ...state, open: null }
  const { doc, from, last, archived } = open
  if (doc === '' || last <= archived) return closed
  return put(closed, doc, before => {
    const flag = isArchived(before) ? 'a' : ''
    return `${flag}w.${from}.${last}.${ended.replace(/[^\w-]/g, '').slice(0, MAX_KIND)}`
  })
}

/** The state with another value for a document; the same reference when it is the value it has. */
function put(state: ArchiveState, doc: string, change: (before: string | undefined) => string): ArchiveState {
  const before = lookup(state.docs, doc)
  const after = change(before)
  if (after === before) return state
  const docs = store(state.docs, doc, after)
  if (docs === state.docs) return state
  const { documents, unarchived } = state.counts
  return {
    ...state,
    docs,
    counts: {
      documents: documents + Number(isArchived(after)) - Number(isArchived(before)),
      unarchived: unarchived + Number(isWaiting(after)) - Number(isWaiting(before)),
    },
  }
}

function isArchived(value: string | undefined): boolean {
  return value?.startsWith('a') === true
}

function isWaiting(value: string | undefined): boolean {
  return value?.includes('w') === true
}

function unpack(value: string | undefined): Omit<EndedTurn, 'doc'> | undefined {
  const [, from, to, ended] = /^a?w\.(\d+)\.(\d+)\.(.*)$/.exec(value ?? '') ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to), ended: ended ?? '' }
}
