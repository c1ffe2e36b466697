import type { FailureCode } from '../failure.ts'

/** A local model cannot be used. Thrown within the thread only; its message names the remedy. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}
