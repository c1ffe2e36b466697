import { eventName, LamportClock, type Namespace } from '../events/index.ts'
import { lookup } from '../readmodels/audit/lookup.ts'
import { isLegacyDatabaseError, type LegacyBlock, type LegacyDatabase, openLegacy } from '../readmodels/legacy/index.ts'
import { decideRow, type ImportedRow } from './import-commits.ts'
import { decideEdge } from './import-edges.ts'
import { count, describe, type LegacyReport, skipRow } from './import-legacy-report.ts'
import { whileAlone } from './import-lock.ts'
import { importNamespace } from './import-namespace.ts'
import { type ImportStore, withImportStore } from './import-store.ts'
import { EXIT, type Options, UsageError } from './options.ts'
import { type Output, progress } from './output.ts'

/** Rows whose events are journaled with one fsync. */
const BATCH = 200

/** Takes in a database of the earlier port. The file is read through a private copy and stays as it is. */
export async function importLegacy(path: string, options: Options, output: Output): Promise<number> {
  const old = open(path)
  try {
    const ns = importNamespace(path, options)
    const run = () => withImportStore(options, into => takeIn(old, ns, into, begun(path, old, ns, options), output))
    const report = options.dryRun ? await run() : await whileAlone(options.journal, run)
    if (options.json) output.result(JSON.stringify(report))
    else {
      const { result, remarks } = describe(report)
      output.result(result)
      remarks.forEach(output.remark)
    }
    return EXIT.ok
  } finally {
    old.close()
  }
}

function open(path: string): LegacyDatabase {
  try {
    return openLegacy(path)
  } catch (error) {
    if (isLegacyDatabaseError(error)) throw new UsageError(`${error.message}. Nothing was imported`)
    throw error
  }
}

/**
 * Blocks first, oldest first, then their edges: clocks rise in that order, from above all that is known, so what was said
 * before the import is earlier than it. Folding an import is folding: a text that was purged stays purged, because
 * tombstones cover what nobody said anew (`src/readmodels/projector/tombstones.ts`). Such texts are not even written.
 */
function takeIn(
  old: LegacyDatabase,
  ns: Namespace,
  into: ImportStore,
  report: LegacyReport,
  output: Output,
): LegacyReport {
  const clock = new LamportClock(into.store.clock)
  const ids = new Map<string, string | undefined>()
  const blocks = new Set<string>()
  const tell = progress(output, 'rows read')
  for (const rows of batches(old.blocks(), BATCH)) {
    const decided = rows.flatMap(row => decideInto(report, ids, row, ns))
    const purged = purgedAmong(into, ns, decided)
    const kept = decided.filter(({ row, made }) => {
      if (!purged.has(made.block)) return true
      ids.set(row.id, undefined)
      report.purged += 1
      return false
    })
    for (const { row, made } of kept) note(report, blocks, row, made)
    into.take(kept.flatMap(({ made }) => made.events(() => clock.tick())))
    tell(report.rows)
  }
  for (const edges of batches(old.edges(), BATCH)) {
    const links = edges.flatMap(edge => {
      const decided = decideEdge(edge, ids, ns)
      if ('link' in decided) return [decided]
      count(report.edgesSkipped, decided.skipped)
      return []
    })
    report.edges += links.length
    into.take(links.map(({ link }) => ({ type: eventName('link'), data: link(clock.tick()) })))
  }
  if (old.unreadableEdges > 0) count(report.edgesSkipped, 'no columns source_id and target_id', old.unreadableEdges)
  const { fresh, known, created, skipped } = into.tally
  return { ...report, blocks: blocks.size, created, events: { fresh, known, skipped } }
}

interface Decided {
  readonly row: LegacyBlock
  readonly made: ImportedRow
}

function decideInto(
  report: LegacyReport,
  ids: Map<string, string | undefined>,
  row: LegacyBlock,
  ns: Namespace,
): Decided[] {
  report.rows += 1
  const made = decideRow(row, ns)
  ids.set(row.id, 'skipped' in made ? undefined : made.block)
  if (!('skipped' in made)) return [{ row, made }]
  skipRow(report, row.id, made.skipped)
  return []
}

function note(report: LegacyReport, blocks: Set<string>, row: LegacyBlock, made: ImportedRow): void {
  if (blocks.has(made.block)) report.duplicates += 1
  blocks.add(made.block)
  if (made.alias) report.aliases += 1
  if (made.vector) report.vectors += 1
  else count(report.noVector, made.noVector)
  if (row.time === undefined) report.undated += 1
}

function purgedAmong({ store }: ImportStore, ns: Namespace, rows: readonly Decided[]): ReadonlySet<string> {
  const ids = rows.map(({ made }) => made.block)
  const known = lookup(store.database, { namespace: ns.id, ids })
  return new Set(known.filter(({ state }) => state === 'purged').map(({ id }) => id))
}

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    if (batch.push(item) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function begun(path: string, { shape }: LegacyDatabase, namespace: Namespace, { dryRun }: Options): LegacyReport {
  return {
    file: path,
    kind: 'database of the earlier port',
    dryRun,
    phase: shape.phase,
    userVersion: shape.userVersion,
    namespace,
    rows: 0,
    blocks: 0,
    duplicates: 0,
    aliases: 0,
    vectors: 0,
    noVector: {},
    undated: 0,
    skipped: {},
    skippedRows: [],
    purged: 0,
    edges: 0,
    edgesSkipped: {},
    centroid: shape.centroid,
    events: { fresh: 0, known: 0, skipped: {} },
    created: 0,
  }
}
