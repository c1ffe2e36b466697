import type { Namespace } from '../events/index.ts'
import type { Centroid, Phase } from '../readmodels/legacy/index.ts'

/** Rows that are listed by id in an answer; all are counted. */
const LISTED = 1_000
/** Rows that are shown to a person. */
const SHOWN = 20

/** What an import of an old database did, or would do. */
export interface LegacyReport {
  readonly file: string
  readonly kind: 'database of the earlier port'
  readonly dryRun: boolean
  readonly phase: Phase
  readonly userVersion: number
  readonly namespace: Namespace
  /** Rows of `memory_blocks`. */
  rows: number
  /** Blocks they amount to. */
  blocks: number
  /** Rows whose text is that of an earlier row, but for white space and the like. */
  duplicates: number
  /** Old ids that stay as other names. */
  aliases: number
  vectors: number
  noVector: Record<string, number>
  undated: number
  /** Rows that are not taken, by reason, and their ids. */
  skipped: Record<string, number>
  skippedRows: Array<{ readonly id: string; readonly reason: string }>
  /** Rows whose text was purged here: it stays so. */
  purged: number
  edges: number
  edgesSkipped: Record<string, number>
  readonly centroid: Centroid
  events: { readonly fresh: number; readonly known: number; readonly skipped: Readonly<Record<string, number>> }
  /** Blocks that the namespace did not have. */
  created: number
}

export function count(counts: Record<string, number>, reason: string, by = 1): void {
  counts[reason] = (counts[reason] ?? 0) + by
}

export function skipRow(report: LegacyReport, id: string, reason: string): void {
  count(report.skipped, reason)
  if (report.skippedRows.length < LISTED) report.skippedRows.push({ id, reason })
}

/** The report in words: first what came of it, then what has to be known. */
export function describe(report: LegacyReport): { readonly result: string; readonly remarks: readonly string[] } {
  const { file, dryRun, phase, userVersion, namespace, rows, blocks, duplicates, aliases, vectors, edges, events } =
    report
  const result = [
    `${dryRun ? 'would import' : 'imported'} ${file} (earlier port, phase ${phase}, user_version ${userVersion}) into "${namespace.label}" (${namespace.id})`,
    `  ${rows} rows: ${blocks} blocks, ${report.created} of them new; ${duplicates} merged duplicates, ${aliases} old ids kept as other names`,
    `  ${vectors} vectors, ${edges} edges`,
    `  ${events.fresh} events ${dryRun ? 'would be' : 'were'} written, ${events.known} were known`,
  ].join('\n')
  return { result, remarks: [...remarks(report)] }
}

function* remarks(report: LegacyReport): Generator<string> {
  for (const [reason, number] of Object.entries(report.skipped)) yield `${number} rows not taken: ${reason}`
  for (const { id, reason } of report.skippedRows.slice(0, SHOWN)) yield `  ${id}: ${reason}`
  const more = Object.values(report.skipped).reduce((sum, number) => sum + number, 0) - SHOWN
  if (more > 0) yield `  and ${more} more; --json lists up to ${LISTED}`
  for (const [reason, number] of Object.entries(report.noVector)) yield `${number} blocks without a vector: ${reason}`
  for (const [reason, number] of Object.entries(report.edgesSkipped)) yield `${number} edges not taken: ${reason}`
  for (const [reason, number] of Object.entries(report.events.skipped)) yield `${number} events not used: ${reason}`
  if (report.purged > 0) yield `${report.purged} rows not taken: their texts were purged here`
  if (report.undated > 0) yield `${report.undated} rows say no time that can be read; they are dated 1970`
  const { kind, rows, columns } = report.centroid
  if (kind !== 'none' && rows > 0) {
    const what = kind === 'old' ? 'as phase A had them' : 'one for each space'
    yield `${rows} centroids (${what}: ${columns.join(', ')}) stay in the old file, untouched; ours are computed anew`
  }
}
