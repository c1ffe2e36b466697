import type { UserMessage } from '@deepseek-ai/dsh-session'
import { isHuman } from '../host/sources.ts'

/** Longest question that goes to an embedding service, in characters; of a longer one, the beginning and the end. */
const MAX_QUESTION = 8_000
/** As much of a message is read, in characters; of a longer one, the beginning and the end. */
const MAX_READ = 32_000
/** A line longer than this is cut in the middle. */
const LINE = 400

/** The human's own words in a claimed batch; empty when there are none. */
export function humanWords(messages: readonly UserMessage[]): string {
  return shorten(messages.filter(isHuman).map(textOf).join('\n').trim(), MAX_READ)
}

/** The texts of a message or of a tool's result, each read as far as matters. */
export function textOf({ content }: { readonly content: UserMessage['content'] }): string {
  let text = ''
  for (const block of content) {
    if (block.type === 'text') text += `${shorten(block.text, MAX_READ)}\n`
  }
  return text
}

/** The beginning and the end of a text that is too long, at most `most` characters of it, in whole lines if they are short. */
export function shorten(text: string, most = MAX_QUESTION): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const [head, tail] = [text.slice(0, half), text.slice(-half)]
  const end = head.lastIndexOf('\n')
  const start = tail.indexOf('\n')
  const first = end > half - LINE ? head.slice(0, end) : head
  const last = start >= 0 && start < LINE ? tail.slice(start + 1) : tail
  return `${first}\n${last}`.toWellFormed()
}
