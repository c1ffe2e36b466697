import type { Session } from '@deepseek-ai/dsh-session'
import { readEvent } from '../../events/index.ts'
import { eventsOf } from '../host/session-reader.ts'
import { formatTime } from '../injection/frame.ts'
import type { Memory } from '../memory.ts'

interface Call {
  readonly memory: Memory
  readonly session: Session
  /** What follows the verb, trimmed. */
  readonly rest: string
  readonly signal: AbortSignal
}

interface Action {
  /** What it needs after its verb, in words; nothing when undefined. */
  readonly takes?: string
  /** The answer, as text. */
  run(call: Call): Promise<string>
}

export const HELP = [
  '/memory search WORDS   what memory holds about something',
  '/memory add TEXT       remember a fact',
  '/memory forget ID…     forget memories; what was said in sessions stays there',
  '/memory history ID     every event that touched a memory',
  '/memory why            what was recalled last in this session, and for what reason',
  '/memory status         how much there is, and what keeps it from working fully',
].join('\n')

/** How long a question may take, in milliseconds: a human is waiting for it and for nothing else. */
const DEADLINE_MS = 10_000

export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['search', { takes: 'the words to look for', run: search }],
  ['add', { takes: 'the fact to remember', run: add }],
  ['forget', { takes: 'the ids of the memories to forget', run: forget }],
  ['history', { takes: 'the id of a memory', run: history }],
  ['why', { run: why }],
  ['status', { run: status }],
])

async function search({ memory, session, rest, signal }: Call): Promise<string> {
  const { hits, notice, degraded } = await memory.recall(rest, session, { signal, deadline: DEADLINE_MS })
  const lines = hits.map(
    ({ id, text, why, said, createdAt }) =>
      `${id}  ${formatTime(said[0]?.time ?? createdAt)}\n  ${text.replaceAll('\n', '\n  ')}\n  (${why})`,
  )
  return (
    [...lines, ...(notice === undefined ? [] : [notice]), ...degraded].join('\n') || 'Memory has no record of this.'
  )
}

async function add({ memory, session, rest }: Call): Promise<string> {
  const { id, created, pending } = await memory.commit({ text: rest }, { session, origin: 'command' })
  return `${created ? 'Remembered' : 'Memory held this already'}: ${id}${pending ? ' (found once the database can be written)' : ''}`
}

async function forget({ memory, session, rest }: Call): Promise<string> {
  const asked = rest.split(/[\s,]+/u).filter(id => id !== '')
  const { ids } = await memory.purge(
    { ids: asked, reason: 'asked for by /memory forget' },
    { session, origin: 'command' },
  )
  return `Forgotten: ${ids.join(', ')}. Sessions and the journal, where it was said, are not erased.`
}

async function history({ memory, session, rest, signal }: Call): Promise<string> {
  const { entries } = await memory.history(rest, session, { signal, deadline: DEADLINE_MS })
  if (entries.length === 0) return `No event in this project touched ${rest}.`
  return entries
    .map(({ time, session: where, seq, what }) => {
      const place = where === '' ? 'outside of any session' : `session ${where}${seq === null ? '' : `, event ${seq}`}`
      return `${formatTime(time)}  ${place}: ${what}`
    })
    .join('\n')
}

async function why({ session }: Call): Promise<string> {
  for (const event of eventsOf(session).toReversed()) {
    const read = readEvent(event.type, event.data)
    if (read.kind !== 'event' || read.event.verb !== 'recall') continue
    const { hits, mode, at, degraded } = read.event.data
    const how = mode === 'inject' ? 'put before the model' : 'asked for'
    return [
      `Recalled at ${formatTime(at.time)} (${how}):`,
      ...hits.map(({ block, score, why: reason }) => `${block}  score ${score.toFixed(3)}: ${reason}`),
      ...degraded,
    ].join('\n')
  }
  return 'Nothing was recalled in this session yet.'
}

async function status({ memory, signal }: Call): Promise<string> {
  const { blocks, events, namespaces, path, journal, skipped, issues, degraded, catchingUp } = await memory.stats({
    signal,
    deadline: DEADLINE_MS,
  })
  return [
    `${blocks} memories in ${namespaces} namespaces, from ${events} events`,
    `database: ${path}`,
    `journal: ${journal}`,
    ...Object.entries(skipped).map(([reason, count]) => `${count} events skipped: ${reason}`),
    ...(issues > 0 ? [`${issues} damaged places in logs or journal were passed over`] : []),
    ...(catchingUp ? ['stored sessions are still being read'] : []),
    ...degraded,
  ].join('\n')
}
