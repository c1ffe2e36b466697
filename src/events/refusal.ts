export type RefusalCode =
  | 'not_text'
  | 'empty_text'
  | 'nul'
  | 'too_large'
  | 'bad_field'
  | 'not_redacted'
  | 'subagent'
  | 'not_found'
  | 'same_block'

/** A command that was refused before anything was written. The message names the value and the remedy. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

export function isCommandRefused(error: unknown): error is CommandRefusedError {
  return error instanceof CommandRefusedError
}
