/** A message of the human or the model, as its text alone. */
export interface SaidMessage {
  readonly kind: 'message'
  /** Message id. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Step of its turn; null for the human's words, which come before a step. */
  readonly step: number | null
  readonly seq: number
  /** Unix milliseconds; 0 when the log does not say. */
  readonly time: number
}

/** A tool call: `text` is its arguments as the model wrote them. */
export interface SaidCall {
  readonly kind: 'call'
  /** Call id. */
  readonly id: string
  readonly tool: string
  readonly text: string
  readonly step: number | null
  readonly seq: number
  readonly time: number
}

/** What a tool call came to. */
export interface SaidResult {
  readonly kind: 'result'
  /** Call id. */
  readonly id: string
  readonly text: string
  readonly failed: boolean
  readonly step: number | null
  readonly seq: number
  readonly time: number
}

export type Said = SaidMessage | SaidCall | SaidResult

/** Event types of a host that say something. */
export const SAYING_TYPES = ['user/message', 'assistant/message', 'tool/call', 'tool/result'] as const

/**
 * What a host's event says, or `undefined` when it says nothing: only what was added to the conversation by the human, the
 * model or a tool. Injected context, own recalls, summaries and other replacements are not said by anybody. Never throws.
 */
export function readSaid(event: unknown): Said | undefined {
  try {
    return read(event)
  } catch {
    return undefined
  }
}

function read(event: unknown): Said | undefined {
  const { type, seq, time, data, surfaceOp } = record(event)
  const at = { seq: whole(seq) ?? 0, time: typeof time === 'number' && Number.isSafeInteger(time) ? time : 0 }
  if (type === 'user/message') {
    const { id, source, content } = record(data)
    // The allowlist is one kind: whatever hosts invent later is not the human.
    if (surfaceOp !== 'append' || record(source).kind !== 'user' || !isId(id)) return undefined
    return { kind: 'message', id, role: 'user', text: textOf(content), step: null, ...at }
  }
  if (type === 'assistant/message') {
    const { message, step } = record(data)
    const { id, content } = record(message)
    if (surfaceOp !== 'append' || !isId(id)) return undefined
    return { kind: 'message', id, role: 'assistant', text: textOf(content), step: whole(step), ...at }
  }
  if (type === 'tool/call') {
    const { callId, name, arguments: args, step } = record(data)
    if (!isId(callId) || typeof name !== 'string' || typeof args !== 'string') return undefined
    return { kind: 'call', id: callId, tool: name, text: args, step: whole(step), ...at }
  }
  if (type === 'tool/result') {
    const { message, step, error } = record(data)
    const block = record(array(record(message).content)[0])
    if (surfaceOp !== 'append' || !isId(block.toolCallId)) return undefined
    const failed = block.isError === true || error !== undefined
    return { kind: 'result', id: block.toolCallId, text: textOf(block.content), failed, step: whole(step), ...at }
  }
  return undefined
}

/** The text blocks of a message, one below the other. */
function textOf(content: unknown): string {
  return array(content)
    .map(record)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 500
}
