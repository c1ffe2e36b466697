import type { Session } from '@deepseek-ai/dsh-session'
import { leading, type RecallEvent, readEvent } from '../../events/index.ts'
import { shownTime } from '../../readmodels/index.ts'
import { eventsOf } from '../host/session-reader.ts'
import { type Call, DEADLINE_MS } from './call.ts'

/** Longest part of a text that is shown, in characters. */
const MAX_TEXT = 200

/** What was recalled in the last turn of this session in which anything was: everything, oldest first. */
export async function why({ memory, session, signal }: Call): Promise<string> {
  const recalls = lastRecalls(session)
  if (recalls.length === 0) return 'Nothing was recalled in this session yet.'
  const ids = new Set(recalls.flatMap(({ hits }) => hits.map(({ block }) => block)))
  const texts = new Map<string, string>()
  for (const id of ids) {
    const block = await memory.show(id, session, { signal, deadline: DEADLINE_MS })
    texts.set(id, block === undefined ? 'not of this project' : (block.text ?? 'forgotten since'))
  }
  const docs = new Set(recalls.flatMap(({ pages = [] }) => pages.map(({ doc }) => doc)))
  for (const id of docs) {
    const document = await memory.document(id, session, { signal, deadline: DEADLINE_MS })
    texts.set(id, document === null ? 'not of this project' : document.title || 'its title is withheld')
  }
  return recalls.map(recall => describe(recall, texts)).join('\n')
}

function lastRecalls(session: Session): RecallEvent[] {
  const found: RecallEvent[] = []
  for (const event of eventsOf(session).toReversed()) {
    const read = readEvent(event.type, event.data)
    if (read.kind !== 'event' || read.event.verb !== 'recall') continue
    const { data } = read.event
    const [latest] = found
    if (latest !== undefined && (latest.at.turn === undefined || data.at.turn !== latest.at.turn)) break
    found.push(data)
  }
  return found.reverse()
}

function describe(recall: RecallEvent, texts: ReadonlyMap<string, string>): string {
  const { mode, at, hits, pages = [], outcome, degraded } = recall
  const how = mode === 'inject' ? 'put before the model' : 'looked up by the model'
  const turn = at.turn === undefined ? '' : `, turn ${at.turn}`
  return [
    `${shownTime(at.time)}${turn}, ${how}:${hits.length + pages.length === 0 ? ` nothing (${outcome})` : ''}`,
    ...hits.map(
      ({ block, score, why: reason }) =>
        `${block}  score ${score.toFixed(3)}\n  ${shorten(texts.get(block) ?? '')}\n  (${reason})`,
    ),
    ...pages.map(
      ({ doc, page, score, why: reason }) =>
        `${doc}, page ${page + 1}  score ${score.toFixed(3)}\n  ${shorten(texts.get(doc) ?? '')}\n  (${reason})`,
    ),
    ...degraded.map(reason => `The search was limited: ${reason}`),
  ].join('\n')
}

function shorten(text: string): string {
  const line = text.replaceAll('\n', '\n  ')
  return line.length <= MAX_TEXT ? line : `${leading(line, MAX_TEXT)}…`
}
