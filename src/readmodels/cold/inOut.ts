import { leading, trailing } from '../../events/index.ts'
import { shownTime } from '../shown-time.ts'
import type { DocumentHead, Page, PagePart } from './port.ts'

/** Characters that stand in the place of what is left out, and a little more. */
const ELLIPSIS = 60
const LEAST = 200

/**
 * A page as text, read like a conversation: who said what in order, each call followed by its result, with the time
 * written out. Longer parts are cut in the middle so that all of it stays within `limit` characters; a call is never
 * shown without its result.
 */
export function inOut(page: Page & DocumentHead & { readonly pages?: number }, limit = 8_000): string {
  const head = headOf(page)
  const room = Math.max(LEAST, limit - head.length)
  const each = shares(
    page.parts.map(part => part.text.length),
    room,
  )
  const lines = page.parts.map((part, at) => `${voiceOf(part)} ${cut(part.text, each)}${unanswered(page.parts, at)}`)
  return [head, ...lines].join('\n')
}

function headOf({ parts, archivedAt, session, turn, page, pages, title }: Parameters<typeof inOut>[0]): string {
  const time = parts.find(part => part.time > 0)?.time ?? archivedAt
  const place = [
    shownTime(time),
    ...(session === '' ? [] : [`session ${session}`]),
    ...(turn === null ? [] : [`turn ${turn}`]),
    `page ${page + 1}${pages === undefined ? '' : ` of ${pages}`}`,
  ].join(', ')
  return title === '' ? `[${place}]` : `[${place}] ${title}`
}

function voiceOf({ kind, tool, failed }: PagePart): string {
  if (kind === 'user') return 'user:'
  if (kind === 'assistant') return 'assistant:'
  if (kind === 'call') return `call ${tool}:`
  return failed ? 'result (failed):' : 'result:'
}

/** A call that never came to a result says so. */
function unanswered(parts: readonly PagePart[], at: number): string {
  const part = parts[at]
  if (part?.kind !== 'call') return ''
  const next = parts[at + 1]
  return next?.kind === 'result' && next.callId === part.callId ? '' : '\n(no result: it was interrupted)'
}

/** The longest any part may be so that all of them fit: short ones leave their share to the longer. */
function shares(lengths: readonly number[], room: number): number {
  let left = room
  const sorted = [...lengths].sort((a, b) => a - b)
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at))
    if (length > share) return Math.max(share, ELLIPSIS)
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = Math.max(0, length - ELLIPSIS)
  const head = leading(text, Math.ceil(kept * 0.7))
  const tail = trailing(text, Math.floor(kept * 0.3))
  return `${head} [… ${text.length - head.length - tail.length} characters left out …] ${tail}`.trimEnd()
}
