import type { GenericCallView, GenericResultView, ToolCallKind, ToolResult } from '@deepseek-ai/dsh-tools'
import { leading } from '../../events/index.ts'

/** Longest part of a title that comes from an argument, in characters. */
const MAX_PART = 80

/** What a tool's cards say. `subject` names what the call is about, cut to fit a title. */
export interface Cards {
  readonly kind: ToolCallKind
  /** While it runs: `Remember`. */
  readonly doing: string
  /** When it is done: `Remembered`. */
  readonly done: string
  /** When it failed: `Not remembered`. */
  readonly failed: string
}

/** The card of a call that runs. */
export function calling({ kind, doing }: Cards, subject: string): GenericCallView {
  return { card: 'generic', kind, title: titled(doing, subject) }
}

/** The card of a call that is over. `content` says it anew for people, where what the model read does not suit them. */
export function called(
  { done, failed }: Pick<Cards, 'done' | 'failed'>,
  subject: string,
  result: ToolResult,
  content?: string,
): GenericResultView {
  const title = titled(result.isError ? failed : done, subject)
  if (result.isError || content === undefined) return { card: 'generic', title }
  return { card: 'generic', title, content: [{ type: 'text', text: content }] }
}

/** What the model read, as one text. */
export function readText({ content }: ToolResult): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}

function titled(what: string, subject: string): string {
  const part = firstLine(subject)
  return part === '' ? what : `${what}: ${part}`
}

/** The beginning of an argument. */
function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  return line.length <= MAX_PART ? line : `${leading(line, MAX_PART - 1).toWellFormed()}…`
}
