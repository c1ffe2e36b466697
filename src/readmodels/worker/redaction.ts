import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shortHash } from '../../events/index.ts'
import { type RedactionSettings, redact, rulesFor } from '../../redaction/index.ts'

/** Raised when built-in rules change what they take out, so that what is kept of logs is read anew. */
const RULES_VERSION = 1

/** How texts of logs are redacted before they are kept. */
export interface LogRedaction {
  readonly redact: (text: string) => string
  /** Tells one set of rules from another. */
  readonly mark: string
}

/**
 * The rules for what is kept of session logs. The plugin's settings are left beside the journal, so that a command
 * without a harness takes out the same; without any, the built-in rules hold.
 *
 * @param journal the journal folder
 */
export function logRedaction(journal: string, settings: RedactionSettings | undefined): LogRedaction {
  const file = join(dirname(journal), 'redaction.json')
  const before = read(file)
  if (settings !== undefined && JSON.stringify(settings) !== before) leave(file, settings)
  const used = settings ?? parse(before)
  const rules = rulesFor(used)
  return {
    redact: text => redact(text, rules).text,
    mark: shortHash(`${RULES_VERSION} ${JSON.stringify(used ?? null)}`),
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parse(text: string | undefined): RedactionSettings | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { enabled, patterns } = value as Partial<RedactionSettings>
    const settings = { enabled: enabled !== false, patterns: Array.isArray(patterns) ? patterns : [] }
    rulesFor(settings)
    return settings
  } catch {
    // Rather too much taken out than too little: a file that cannot be used counts as none.
    return undefined
  }
}

/** Left by rename, so that a reader meets one or the other whole. A folder that cannot be written is no reason to stop. */
function leave(file: string, settings: RedactionSettings): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const aside = `${file}.${process.pid}`
    writeFileSync(aside, JSON.stringify(settings), { mode: 0o600 })
    renameSync(aside, file)
  } catch {
    // The journal, which lies beside it, will say so.
  }
}
