import { leading } from '../events/index.ts'
import { type RedactionSettings, redact, rulesFor } from '../redaction/index.ts'

const MAX_REASON = 1_000

/** A reason as an event keeps it: well-formed, without NUL and secrets, of bounded length. */
export function cleanReason(reason: unknown, redaction: RedactionSettings | undefined): string {
  const text = reason === undefined || reason === null ? '' : String(reason).toWellFormed().replaceAll('\0', '')
  return leading(redact(leading(text, 2 * MAX_REASON), rulesFor(redaction)).text, MAX_REASON)
}
