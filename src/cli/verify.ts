import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eventIds } from '../readmodels/audit/health.ts'
import { isCorrupt } from '../readmodels/database/errors.ts'
import { damaged, openReadOnly } from '../readmodels/database/open.ts'
import { dumpLines, untoldDocuments } from '../readmodels/dump.ts'
import type { Stats } from '../readmodels/index.ts'
import { Store } from '../readmodels/worker/store.ts'
import { fill } from './fill.ts'
import { EXIT, type Options } from './options.ts'
import { type Output, progress } from './output.ts'
import { remarks } from './rebuild.ts'

type Database = Store['database']

/** Differences that are shown; all are counted. */
const SHOWN = 10
/** How long an event that the journal holds may take to be in the live database, and between two looks, in milliseconds. */
const FOLD_WAIT_MS = 1_000
const FOLD_PAUSE_MS = 100

/**
 * `verify`: rebuilds into a file aside and compares it, line by line, with the live database as it was when this began.
 * Changes neither. A host may be writing meanwhile: what it folded since is left out of the rebuild.
 */
export async function verify(options: Options, output: Output): Promise<number> {
  const { path } = options
  const live = openReadOnly(path)
  try {
    // The first read begins the snapshot that all of them are of.
    live.exec('BEGIN')
    eventIds(live)
    let done = await rebuildAndCompare(live, options, output)
    if (!done.compared.identical) {
      const since = await foldedSince(options, done.unknown)
      const missing = done.unknown.filter(id => !since.has(id))
      if (since.size > 0)
        done = await rebuildAndCompare(live, options, output, new Set([...eventIds(live), ...missing]))
    }
    const { compared, skipped, issues } = done
    const answer = { path, from: options.from, ...compared, skipped, issues }
    output.result(options.json ? JSON.stringify(answer) : describe(answer))
    if (!options.json) remarks(answer).forEach(output.remark)
    return answer.identical ? EXIT.ok : EXIT.differs
  } catch (error) {
    throw isCorrupt(error) ? damaged(path) : error
  } finally {
    live.close()
  }
}

interface Rebuilt {
  readonly compared: Comparison
  readonly skipped: Stats['skipped']
  readonly issues: number
  /** Events of the rebuild that the live database does not know. */
  readonly unknown: readonly string[]
}

/** Rebuilds aside, of some events or all, and compares. */
async function rebuildAndCompare(
  live: Database,
  { journal, from, roots }: Options,
  output: Output,
  only?: ReadonlySet<string>,
): Promise<Rebuilt> {
  const aside = mkdtempSync(join(tmpdir(), 'dsh-hologram-verify-'))
  const rebuilt = new Store({ path: join(aside, 'memory.db'), journal, keepJournal: true, ...(only && { only }) })
  try {
    await fill(rebuilt, from, roots, progress(output, 'events read'))
    const { skipped, issues } = rebuilt.stats()
    const known = eventIds(live)
    const unknown = [...eventIds(rebuilt.database)].filter(id => !known.has(id))
    // What the text of archived turns is read from: a journal has none, and the next start reads what was said last.
    const untold = untoldDocuments(live)
    if (from === 'journal') for (const key of untoldDocuments(rebuilt.database)) untold.add(key)
    return { compared: compare(live, rebuilt.database, untold), skipped, issues, unknown }
  } finally {
    rebuilt.close()
    rmSync(aside, { recursive: true, force: true })
  }
}

/** Those of some events that the live database knows by now. One that is journaled this moment is folded in the next. */
async function foldedSince({ path }: Options, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const until = performance.now() + FOLD_WAIT_MS; ids.length > 0; await pause(FOLD_PAUSE_MS)) {
    const now = openReadOnly(path)
    try {
      const known = eventIds(now)
      for (const id of ids) if (known.has(id)) found.add(id)
    } finally {
      now.close()
    }
    if (found.size === ids.length || performance.now() > until) break
  }
  return found
}

interface Comparison {
  readonly identical: boolean
  readonly lines: number
  readonly sha256: { readonly live: string; readonly rebuilt: string }
  readonly onlyLive: { readonly count: number; readonly first: readonly string[] }
  readonly onlyRebuilt: { readonly count: number; readonly first: readonly string[] }
  /** Archived turns whose text is not at hand, and was left out. */
  readonly untold: number
}

/** Lines are compared by hash, so that two large memories fit beside each other. */
function compare(live: Database, rebuilt: Database, untold: ReadonlySet<string>): Comparison {
  const left = digest(live, untold)
  const right = digest(rebuilt, untold)
  return {
    identical: left.sha256 === right.sha256,
    lines: left.lines.size,
    sha256: { live: left.sha256, rebuilt: right.sha256 },
    onlyLive: missing(live, untold, right.lines),
    onlyRebuilt: missing(rebuilt, untold, left.lines),
    untold: untold.size,
  }
}

function digest(db: Database, untold: ReadonlySet<string>): { sha256: string; lines: Set<string> } {
  const whole = createHash('sha256')
  const lines = new Set<string>()
  for (const line of dumpLines(db, untold)) {
    whole.update(`${line}\n`)
    lines.add(lineHash(line))
  }
  return { sha256: whole.digest('hex'), lines }
}

function missing(
  db: Database,
  untold: ReadonlySet<string>,
  others: ReadonlySet<string>,
): { count: number; first: string[] } {
  const first: string[] = []
  let count = 0
  for (const line of dumpLines(db, untold)) {
    if (others.has(lineHash(line))) continue
    count += 1
    if (first.length < SHOWN) first.push(line)
  }
  return { count, first }
}

function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('base64').slice(0, 24)
}

function describe({
  identical,
  path,
  from,
  lines,
  sha256,
  onlyLive,
  onlyRebuilt,
  untold,
}: Comparison & { path: string; from: string }): string {
  const without = untold === 0 ? '' : `, without the text of ${untold} archived turns, which is not at hand`
  if (identical)
    return `identical: ${path} and a rebuild from ${from} (${lines} lines, sha256 ${sha256.live})${without}`
  return [
    `different: ${path} and a rebuild from ${from}`,
    `only in the live database: ${onlyLive.count}`,
    ...onlyLive.first.map(line => `  - ${line}`),
    `only in the rebuild: ${onlyRebuilt.count}`,
    ...onlyRebuilt.first.map(line => `  + ${line}`),
    'Run `dsh-hologram rebuild` to bring the database to what logs and journal hold.',
  ].join('\n')
}
