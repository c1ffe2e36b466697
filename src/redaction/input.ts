import { leading } from '../events/index.ts'
import { redact } from './redact.ts'
import type { RedactionRules } from './rule.ts'

/** The parts of a commit that hold words of somebody. */
export interface RedactableInput<Frame extends object> {
  readonly text: string
  /** Short texts by name: where it comes from, what it belongs to. */
  readonly fields: Readonly<Record<string, string>>
  readonly frame: Frame | undefined
}

export interface RedactedInput<Frame extends object> extends RedactableInput<Frame> {
  /** What was removed anywhere in it: at most what an event may name. */
  readonly kinds: readonly string[]
}

/** Longest field of an event, in UTF-16 units, and most kinds it may name. */
const MAX_FIELD = 500
const MAX_KINDS = 50

/**
 * Redacts everything a commit brings, before its id is made. A text that is nothing but a secret becomes its marker and
 * is kept as that: the event then says that a secret was brought and of which kind, and all of one kind are one block.
 */
export function redactInput<Frame extends object>(
  input: RedactableInput<Frame>,
  rules: RedactionRules,
): RedactedInput<Frame> {
  const kinds = new Set<string>()
  const clean = (text: string): string => {
    const redacted = redact(text, rules)
    for (const kind of redacted.kinds) kinds.add(kind)
    return redacted.text
  }
  // A marker may be longer than what it stands for. What is cut off here has been redacted.
  const short = (text: string): string => {
    const redacted = clean(text)
    return redacted === text ? text : leading(redacted, MAX_FIELD)
  }
  const text = clean(input.text)
  const fields = mapStrings(input.fields, short)
  const frame = input.frame === undefined ? undefined : mapStrings(input.frame, short)
  return { text, fields, frame, kinds: [...kinds].sort().slice(0, MAX_KINDS) }
}

/** The same object with its strings mapped; other members as they are. */
function mapStrings<T extends object>(record: T, map: (text: string) => string): T {
  const entries = Object.entries(record).map(([name, value]) => [name, typeof value === 'string' ? map(value) : value])
  return Object.fromEntries(entries) as T
}
