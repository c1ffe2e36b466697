import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shortHash } from '../../events/index.ts'
import { type RedactionRules, type RedactionSettings, redact, rulesFor } from '../../redaction/index.ts'

/** Raised when built-in rules change what they take out, so that what is kept of logs is read anew. */
const RULES_VERSION = 1
/** A configuration that nobody started with for so long has no say any more, in milliseconds. */
const FORGOTTEN_MS = 7 * 86_400_000
const MOST_CONFIGURATIONS = 10
const BUILT_IN: RedactionSettings = { enabled: true, patterns: [] }

/** Rules that somebody used this memory with. */
interface Configuration extends RedactionSettings {
  /** When a process with them last started, Unix milliseconds. */
  readonly seen: number
  /** Whether what they take out is taken out of what is kept. */
  readonly holds: boolean
}

/**
 * How texts of logs are redacted before they are kept. The settings of whoever starts are left beside the journal, so that
 * a command without a harness takes out the same. Settings that changed replace those before. But where processes of
 * two configurations take turns on one memory, all that either takes out is taken out: otherwise each would read what
 * the other kept once more at its start, and keep what the other removes.
 */
export class LogRedaction {
  private readonly file: string
  private readonly settings: RedactionSettings | undefined
  private rules: readonly RedactionRules[] = []
  private used: readonly RedactionSettings[] = []

  /**
   * @param journal the journal folder
   * @param settings the plugin's; without them, as it last left word
   */
  constructor(journal: string, settings: RedactionSettings | undefined) {
    this.file = join(dirname(journal), 'redaction.json')
    this.settings = settings
    this.join()
  }

  /** Tells one set of rules from another. */
  get mark(): string {
    return shortHash(`${RULES_VERSION} ${JSON.stringify(this.used)}`)
  }

  /** How many configurations have a say. */
  get configurations(): number {
    return this.used.length
  }

  redact(text: string): string {
    return this.rules.reduce((left, rules) => redact(left, rules).text, text)
  }

  /** Reads anew which configurations have a say, and takes part. */
  join(): void {
    const before = read(this.file)
    const now = this.settings === undefined ? before : joined(before, this.settings, Date.now())
    if (this.settings !== undefined) leave(this.file, now)
    const used = now.filter(({ holds }) => holds).map(({ enabled, patterns }) => ({ enabled, patterns }))
    this.used = used.length === 0 ? [BUILT_IN] : used.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    this.rules = this.used.map(rulesFor)
  }
}

/** What has a say when somebody starts with some settings. */
function joined(before: readonly Configuration[], settings: RedactionSettings, now: number): Configuration[] {
  const { enabled, patterns } = settings
  const key = keyOf({ enabled, patterns })
  const recent = before.filter(one => now - one.seen < FORGOTTEN_MS)
  const others = recent.filter(one => keyOf(one) !== key)
  // Those that were replaced and are back take turns with those that replaced them.
  const isKnown = others.length < recent.length
  const kept = isKnown ? others : others.map(one => ({ ...one, holds: false }))
  const latest = kept.sort((a, b) => b.seen - a.seen).slice(0, MOST_CONFIGURATIONS - 1)
  return [{ enabled, patterns, seen: now, holds: true }, ...latest]
}

function keyOf({ enabled, patterns }: RedactionSettings): string {
  return JSON.stringify({ enabled, patterns })
}

/** Rather too much taken out than too little: what cannot be used counts as none. */
function read(file: string): Configuration[] {
  try {
    const { configurations } = JSON.parse(readFileSync(file, 'utf8')) as { configurations?: unknown }
    return Array.isArray(configurations) ? configurations.flatMap(usable) : []
  } catch {
    return []
  }
}

function usable(value: unknown): Configuration[] {
  try {
    const { enabled, patterns, seen, holds } = value as Partial<Configuration>
    const settings = { enabled: enabled !== false, patterns: Array.isArray(patterns) ? patterns : [] }
    rulesFor(settings)
    return [{ ...settings, seen: Number(seen) || 0, holds: holds !== false }]
  } catch {
    return []
  }
}

/** Left by rename, so that a reader meets one or the other whole. A folder that cannot be written is no reason to stop. */
function leave(file: string, configurations: readonly Configuration[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const aside = `${file}.${process.pid}`
    writeFileSync(aside, JSON.stringify({ configurations }), { mode: 0o600 })
    renameSync(aside, file)
  } catch {
    // The journal, which lies beside it, will say so.
  }
}
