import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { Session, UserMessage } from '@deepseek-ai/dsh-session'
import { mayBeOutdated, mayLackSome, type RecallAnswer, wentByWords } from '../../readmodels/index.ts'
import { redact, rulesFor } from '../../redaction/index.ts'
import { recallSource } from '../host/sources.ts'
import type { Memory } from '../memory.ts'
import { pagesRecalledIn, recalledIn } from '../recalled.ts'
import { choose, roomIn } from './choose.ts'
import { BY_WORDS_ALONE, frame, isNote, MAYBE_OUTDATED, notice, type Shown } from './frame.ts'
import { priceOn } from './price.ts'
import { type Visible, visibleIn } from './visible.ts'

export interface Asked {
  /** What was asked, for the event: it holds a hash of it only. */
  readonly query: string
  readonly answer: RecallAnswer
  /** Whether it is worth saying that memory does not hold what was asked for. */
  readonly mayRefuse: boolean
}

/** Names in a notice, and the longest of them, in characters. */
const MOST_NAMES = 3
const LONGEST_NAME = 60
/** A number of one or two digits names nothing. */
const A_NAME = /\p{L}|\d{3}/u

/**
 * The message that brings an answer before the model, with its event left in the session; nothing where that is not
 * worth its tokens, or the model sees it already.
 */
export async function messageFor(memory: Memory, session: Session, asked: Asked): Promise<UserMessage | undefined> {
  const { answer, query } = asked
  const { projections, namespaces } = memory.parts
  const visible = visibleIn(session, projections.recall(session), projections.blocks(session))
  const made = notes(memory, answer, visible) ?? refusal(memory, asked, visible)
  if (made === undefined) return undefined
  const { id: own } = await namespaces.of(session)
  const message = createUserMessage({ content: [{ type: 'text', text: made.text }], source: recallSource() })
  const hits = recalledIn(
    made.shown.filter(isNote).map(({ hit }) => hit),
    own,
  )
  const pages = pagesRecalledIn(
    made.shown.flatMap(one => (isNote(one) ? [] : [one.page])),
    own,
  )
  const { symbols, outcome, degraded } = answer
  const tokens = priceOn(memory.ctx)(made.text)
  await memory.recordRecall(
    { mode: 'inject', query, symbols, hits, pages, message: message.id, tokens, outcome, degraded },
    session,
  )
  return message
}

interface Made {
  readonly text: string
  readonly shown: readonly Shown[]
}

function notes(memory: Memory, answer: RecallAnswer, visible: Visible): Made | undefined {
  const { degraded } = answer
  const { injection, cold } = memory.parts.config
  const remarks = [mayBeOutdated(degraded) ? MAYBE_OUTDATED : '', wentByWords(degraded) ? BY_WORDS_ALONE : '']
  const remark = remarks.filter(text => text !== '').join(' ') || undefined
  const shown = choose(answer, visible, { ...injection, pages: cold.pages.topK }, priceOn(memory.ctx), remark)
  return shown.length === 0 ? undefined : { text: frame(shown, remark), shown }
}

function refusal(memory: Memory, { answer, mayRefuse }: Asked, visible: Visible): Made | undefined {
  const { injection, redaction } = memory.parts.config
  if (!mayRefuse || !injection.notice || !isRefused(answer, visible) || mayLackSome(answer.degraded)) return undefined
  const names = (answer.missing ?? []).filter(
    name => name.length <= LONGEST_NAME && A_NAME.test(name) && !isSecret(name, redaction),
  )
  if (names.length === 0) return undefined
  const text = notice(names.slice(0, MOST_NAMES))
  if (visible.reads(text) || priceOn(memory.ctx)(text) > roomIn(injection, visible)) return undefined
  return { text, shown: [] }
}

/** Whether nothing is held of what was asked, beside what stands before the model: the question itself may be a page by now. */
function isRefused({ outcome, hits, pages, missing }: RecallAnswer, visible: Visible): boolean {
  if (outcome === 'refused') return true
  return hits.length === 0 && missing !== undefined && pages.every(page => visible.seesPage(page))
}

/** What looks like a secret is not said once more. */
function isSecret(name: string, redaction: Parameters<typeof rulesFor>[0]): boolean {
  return redact(name, rulesFor(redaction)).text !== name
}
