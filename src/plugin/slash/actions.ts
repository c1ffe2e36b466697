import { isDocumentId } from '../../events/index.ts'
import {
  describeBlock,
  describeDocument,
  describeDocuments,
  describeHistory,
  describeSpace,
  inOut,
  shownTime,
} from '../../readmodels/index.ts'
import { describeEmbedding } from '../embedding/describe.ts'
import { type Call, DEADLINE_MS } from './call.ts'
import { why } from './why.ts'

interface Action {
  /** What it takes after its verb, as the help shows it; nothing when empty. */
  readonly takes: string
  /** What it does, as the help says it. */
  readonly does: string
  /** The answer, as text. */
  run(call: Call): Promise<string>
}

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['search', { takes: 'WORDS', does: 'what memory holds about something, and what was said of it', run: search }],
  ['add', { takes: 'TEXT', does: 'remember a fact', run: add }],
  ['forget', { takes: 'ID…', does: 'forget memories; what was said in sessions stays there', run: forget }],
  ['history', { takes: 'ID', does: 'every event that touched a memory', run: history }],
  ['show', { takes: 'ID', does: 'a memory as it is now, or an archived turn with its pages', run: show }],
  ['why', { takes: '', does: 'what was recalled in the last turn, and for what reason', run: why }],
  ['status', { takes: '', does: 'how much there is, and what keeps it from working fully', run: status }],
])

/** The action of a verb, however it is written. */
export function actionOf(verb: string): Action | undefined {
  return ACTIONS.get(verb.toLowerCase())
}

/** What can be typed, one line each. */
export function help(command: string): string {
  return [...ACTIONS, ['help', { takes: '', does: 'this list' }] as const]
    .map(([verb, { takes, does }]) => `${`/${command} ${verb} ${takes}`.trim().padEnd(command.length + 17)}${does}`)
    .join('\n')
}

/** Pages of earlier turns that `search` shows, and characters of each. */
const PAGES = 3
const PAGE_CHARS = 1_200

async function search({ memory, session, rest, signal }: Call): Promise<string> {
  const asked = { signal, deadline: DEADLINE_MS, pages: PAGES }
  const { hits, pages, notice, degraded } = await memory.recall(rest, session, asked)
  const lines = hits.map(
    ({ id, text, why, said, createdAt }) =>
      `${id}  ${shownTime(said[0]?.time ?? createdAt)}\n  ${text.replaceAll('\n', '\n  ')}\n  (${why})`,
  )
  const limits = degraded.map(reason => `Search was limited: ${reason}`)
  const turns = pages.map(
    page =>
      `${page.doc}, page ${page.page + 1}\n  ${inOut(page, PAGE_CHARS).replaceAll('\n', '\n  ')}\n  (${page.why})`,
  )
  return (
    [...lines, ...turns, ...(notice === undefined ? [] : [notice]), ...limits].join('\n') ||
    'Memory has no record of this.'
  )
}

async function add({ memory, session, rest, signal }: Call): Promise<string> {
  const { id, created, pending } = await memory.commit({ text: rest }, { session, origin: 'command', signal })
  return `${created ? 'Remembered' : 'Memory held this already'}: ${id}${pending ? ` (${LATER})` : ''}`
}

async function forget({ memory, session, rest, signal }: Call): Promise<string> {
  const asked = rest.split(/[\s,;，、；]+/u).filter(id => id !== '')
  const { ids, pending } = await memory.purge(
    { ids: asked, reason: 'asked for by /memory forget' },
    { session, origin: 'command', signal },
  )
  const when = pending ? ` (${LATER})` : ''
  return `Forgotten: ${ids.join(', ')}${when}. Sessions and the journal, where it was said, are not erased.`
}

/** Of an act that is safe but not folded yet. */
const LATER = 'it takes effect once the database can be written'

async function show({ memory, session, rest, signal }: Call): Promise<string> {
  const options = { signal, deadline: DEADLINE_MS }
  if (isDocumentId(rest)) {
    const document = await memory.document(rest, session, options)
    return document === null
      ? `No archived turn in this project has the id ${rest}.`
      : [...describeDocument(document)].join('\n')
  }
  const block = await memory.show(rest, session, options)
  return block === undefined ? `No memory in this project has the id ${rest}.` : [...describeBlock(block)].join('\n')
}

async function history({ memory, session, rest, signal }: Call): Promise<string> {
  if (isDocumentId(rest)) return `History is of memories. What an archived turn is, says: show ${rest}`
  const answer = await memory.history(rest, session, { signal, deadline: DEADLINE_MS })
  if (answer.total === 0) return `No event in this project touched ${rest}.`
  return [...describeHistory(answer)].join('\n')
}

async function status({ memory, signal }: Call): Promise<string> {
  const {
    blocks,
    documents,
    events,
    namespaces,
    path,
    journal,
    spaces,
    embedding,
    skipped,
    issues,
    degraded,
    trouble,
  } = await memory.stats({ signal, deadline: DEADLINE_MS })
  return [
    `${blocks} memories in ${namespaces} namespaces, from ${events} events`,
    describeDocuments(documents),
    `database: ${path}`,
    `journal: ${journal}`,
    ...spaces.map(space => `space ${describeSpace(space)}`),
    ...describeEmbedding(embedding),
    ...Object.entries(skipped).map(([reason, count]) => `${count} events skipped: ${reason}`),
    ...(issues > 0 ? [`${issues} damaged places in logs or journal were passed over`] : []),
    ...new Set([...degraded, ...trouble]),
  ].join('\n')
}
