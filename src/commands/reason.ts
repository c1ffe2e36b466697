import { type RedactionSettings, redact, rulesFor } from '../redaction/index.ts'

const MAX_REASON = 1_000

/** A reason as an event keeps it: well-formed, without secrets, of bounded length. */
export function cleanReason(reason: unknown, redaction: RedactionSettings | undefined): string {
  const text = reason === undefined || reason === null ? '' : String(reason).toWellFormed()
  return redact(text.slice(0, 2 * MAX_REASON), rulesFor(redaction))
    .text.slice(0, MAX_REASON)
    .toWellFormed()
}
