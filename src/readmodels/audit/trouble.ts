import type { Database } from 'better-sqlite3'

/** What went wrong last, in whichever process. */
export interface LastTrouble {
  /** Unix milliseconds. */
  readonly time: number
  readonly text: string
}

/** Keeps in the database what went wrong, for those who look at it without a harness. */
export function keepTrouble(db: Database, text: string): null {
  const value = JSON.stringify({ time: Date.now(), text } satisfies LastTrouble)
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('trouble', ?)").run(value)
  return null
}

/** What was kept last; null when nothing was. */
export function lastTrouble(db: Database): LastTrouble | null {
  const value = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'trouble'").pluck().get()
  if (value === undefined) return null
  try {
    const { time, text } = JSON.parse(value) as Partial<LastTrouble>
    return typeof time === 'number' && typeof text === 'string' ? { time, text } : null
  } catch {
    return null
  }
}
