import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCorrupt } from '../readmodels/database/errors.ts'
import { damaged, openReadOnly } from '../readmodels/database/open.ts'
import { dumpLines } from '../readmodels/dump.ts'
import { Store } from '../readmodels/worker/store.ts'
import { fill } from './fill.ts'
import { EXIT, type Options } from './options.ts'
import { type Output, progress } from './output.ts'
import { remarks } from './rebuild.ts'

type Database = Store['database']

/** Differences that are shown; all are counted. */
const SHOWN = 10

/** `verify`: rebuilds into a file aside and compares it, line by line, with the live database. Changes neither. */
export async function verify(options: Options, output: Output): Promise<number> {
  const { path, journal, from, roots } = options
  const live = openReadOnly(path)
  const aside = mkdtempSync(join(tmpdir(), 'dsh-hologram-verify-'))
  const rebuilt = new Store({ path: join(aside, 'memory.db'), journal, keepJournal: true })
  try {
    await fill(rebuilt, from, roots, progress(output, 'events read'))
    const { skipped, issues } = rebuilt.stats()
    // One snapshot for all that is read of it: a host may be writing to it.
    const compared = live.transaction(() => compare(live, rebuilt.database))()
    const answer = { path, from, ...compared, skipped, issues }
    output.result(options.json ? JSON.stringify(answer) : describe(answer))
    if (!options.json) remarks(answer).forEach(output.remark)
    return answer.identical ? EXIT.ok : EXIT.differs
  } catch (error) {
    throw isCorrupt(error) ? damaged(path) : error
  } finally {
    live.close()
    rebuilt.close()
    rmSync(aside, { recursive: true, force: true })
  }
}

interface Comparison {
  readonly identical: boolean
  readonly lines: number
  readonly sha256: { readonly live: string; readonly rebuilt: string }
  readonly onlyLive: { readonly count: number; readonly first: readonly string[] }
  readonly onlyRebuilt: { readonly count: number; readonly first: readonly string[] }
}

/** Lines are compared by hash, so that two large memories fit beside each other. */
function compare(live: Database, rebuilt: Database): Comparison {
  const left = digest(live)
  const right = digest(rebuilt)
  return {
    identical: left.sha256 === right.sha256,
    lines: left.lines.size,
    sha256: { live: left.sha256, rebuilt: right.sha256 },
    onlyLive: missing(live, right.lines),
    onlyRebuilt: missing(rebuilt, left.lines),
  }
}

function digest(db: Database): { sha256: string; lines: Set<string> } {
  const whole = createHash('sha256')
  const lines = new Set<string>()
  for (const line of dumpLines(db)) {
    whole.update(`${line}\n`)
    lines.add(lineHash(line))
  }
  return { sha256: whole.digest('hex'), lines }
}

function missing(db: Database, others: ReadonlySet<string>): { count: number; first: string[] } {
  const first: string[] = []
  let count = 0
  for (const line of dumpLines(db)) {
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
}: Comparison & { path: string; from: string }): string {
  if (identical) return `identical: ${path} and a rebuild from ${from} (${lines} lines, sha256 ${sha256.live})`
  return [
    `different: ${path} and a rebuild from ${from}`,
    `only in the live database: ${onlyLive.count}`,
    ...onlyLive.first.map(line => `  - ${line}`),
    `only in the rebuild: ${onlyRebuilt.count}`,
    ...onlyRebuilt.first.map(line => `  + ${line}`),
    'Run `dsh-hologram rebuild` to bring the database to what logs and journal hold.',
  ].join('\n')
}
