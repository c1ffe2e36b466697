import { leading, type Said } from '../../events/index.ts'

/** Takes secrets out of a text. May throw, when a pattern of the user's own runs out of time. */
export type Redact = (text: string) => string

/** Characters of one part that are kept; what is beyond stays in the log. */
const MAX_PART = 200_000
/** Longest name of a tool: a model may call what no tool is named. */
const MAX_TOOL = 80
const NOT_REDACTED = '[left out: it could not be redacted in time]'

/** What is kept of something that was said. */
export function keptRecord(record: Said, redact: Redact): Said {
  const text = keptText(record.text, redact)
  return record.kind === 'call'
    ? { ...record, text, tool: leading(keptText(record.tool, redact), MAX_TOOL) }
    : { ...record, text }
}

/** What is kept of a text: well-formed, without secrets, and of bounded length. */
export function keptText(text: string, redact: Redact): string {
  try {
    const redacted = redact(text.toWellFormed().replaceAll('\0', '\uFFFD'))
    if (redacted.length <= MAX_PART) return redacted
    const beginning = leading(redacted, MAX_PART)
    return `${beginning}\n[${redacted.length - beginning.length} more characters are in the session log]`
  } catch {
    return NOT_REDACTED
  }
}
