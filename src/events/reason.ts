/** What went wrong, as the text that goes into events, answers and logs. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
