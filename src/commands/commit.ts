import {
  blockId,
  COMMIT_VERSION,
  CommandRefusedError,
  type CommitEvent,
  type Frame,
  frameSchema,
  type Origin,
} from '../events/index.ts'
import { type RedactionSettings, redactInput, rulesFor } from '../redaction/index.ts'
import type { Stamp } from './stamp.ts'

/** What a caller wants remembered. */
export interface CommitInput {
  readonly text: string
  readonly source?: string
  readonly tool?: string
  readonly scene?: string
  readonly semanticType?: string
  readonly frame?: Frame
}

export interface CommitLimits {
  /** Largest text, in bytes of UTF-8. */
  readonly maxBytes: number
  /** What is taken out of a text; the built-in rules when absent. */
  readonly redaction?: RedactionSettings
}

/** A commit that passed every check; only its place in the order of events is missing. */
export interface CommitDraft {
  /** Id of the block the text belongs to. */
  readonly block: string
  /** The text as it is kept: what is embedded. */
  readonly text: string
  stamp(stamp: Stamp): CommitEvent
}

const FIELDS = ['source', 'tool', 'scene', 'semanticType'] as const
const MAX_FIELD = 500
/** A character that can be seen: neither white space nor one of those that only steer how others look. */
const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u

/**
 * Decides a commit. Throws `CommandRefusedError` for a text that is empty, too large or holds NUL, and for metadata that
 * is not short text. The text is kept byte for byte, except that lone surrogates, which no store can hold, become U+FFFD, and
 * that a marker stands where a secret stood: before the id is made, so that nothing is ever derived from a secret.
 */
export function decideCommit(input: CommitInput, origin: Origin, limits: CommitLimits): CommitDraft {
  const said = checkText(input.text, limits.maxBytes)
  const saidFields = Object.fromEntries(
    FIELDS.flatMap(name => {
      const value = checkField(name, input[name])
      return value === '' ? [] : [[name, value]]
    }),
  )
  const { text, fields, frame, kinds } = redactInput(
    { text: said, fields: saidFields, frame: checkFrame(input.frame) },
    rulesFor(limits.redaction),
  )
  return {
    block: blockId(text),
    text,
    stamp: stamp => ({
      v: COMMIT_VERSION,
      ...stamp,
      text,
      ...fields,
      origin,
      ...(kinds.length === 0 ? {} : { redacted: [...kinds] }),
      ...(frame === undefined ? {} : { frame }),
    }),
  }
}

function checkText(value: unknown, maxBytes: number): string {
  if (typeof value !== 'string') throw new CommandRefusedError('not_text', `text must be a string, not ${typeof value}`)
  const text = value.toWellFormed()
  const bytes = Buffer.byteLength(text, 'utf8')
  if (bytes > maxBytes) {
    throw new CommandRefusedError(
      'too_large',
      `text has ${bytes} bytes, and a memory may have ${maxBytes}; keep the facts, or split it into several memories`,
    )
  }
  const nul = text.indexOf('\0')
  if (nul >= 0) {
    throw new CommandRefusedError(
      'nul',
      `text holds a NUL character at position ${nul}; remove it, memory keeps text only`,
    )
  }
  if (!SEEN.test(text)) throw new CommandRefusedError('empty_text', 'text is empty; say what to remember')
  return text
}

function checkField(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') {
    throw new CommandRefusedError('bad_field', `${name} must be a string, not ${typeof value}`)
  }
  const text = value.toWellFormed().trim()
  if (text.length > MAX_FIELD || text.includes('\0')) {
    throw new CommandRefusedError('bad_field', `${name} must be at most ${MAX_FIELD} characters without NUL`)
  }
  return text
}

function checkFrame(value: unknown): Frame | undefined {
  if (value === undefined || value === null) return undefined
  const parsed = frameSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new CommandRefusedError('bad_field', `${['frame', ...(issue?.path ?? [])].join('.')}: ${issue?.message}`)
  }
  const entries = Object.entries(parsed.data).flatMap(([name, part]) => {
    if (typeof part === 'number') return [[name, part + 0]]
    const text = checkField(`frame.${name}`, part)
    return text === '' ? [] : [[name, text]]
  })
  return Object.fromEntries(entries) as Frame
}
