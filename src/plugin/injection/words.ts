import type { UserMessage } from '@deepseek-ai/dsh-session'
import { isHuman } from '../host/sources.ts'

/** Longest question that is searched for, in characters; of a longer one, the beginning and the end count. */
const MAX_QUESTION = 8_000

/** The human's own words in a claimed batch; empty when there are none. */
export function humanWords(messages: readonly UserMessage[]): string {
  return shorten(messages.filter(isHuman).map(textOf).join('\n').trim())
}

function textOf(message: UserMessage): string {
  let text = ''
  for (const block of message.content) {
    if (block.type === 'text') text += `${shorten(block.text)}\n`
  }
  return text
}

/** The beginning and the end of a text that is too long to be a question. */
export function shorten(text: string): string {
  if (text.length <= MAX_QUESTION) return text
  const half = MAX_QUESTION / 2
  return `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed()
}
