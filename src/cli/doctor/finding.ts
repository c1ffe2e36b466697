/** One thing that was looked at. A note is worth knowing, a problem wants something done. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'note' | 'problem'
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

/** Findings of one check. */
export interface Report {
  ok(text: string): void
  note(text: string, remedy?: string): void
  problem(text: string, remedy?: string): void
}

export function reporter(check: string, findings: Finding[]): Report {
  const add = (level: Finding['level']) => (text: string, remedy?: string) =>
    void findings.push({ check, level, text, ...(remedy === undefined ? {} : { remedy }) })
  return { ok: add('ok'), note: add('note'), problem: add('problem') }
}
