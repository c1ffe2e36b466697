import type { Database } from 'better-sqlite3'
import { statement } from '../recall/statements.ts'
import type { Fault } from './floats.ts'
import type { Shelf, TargetKind } from './shelves.ts'

/**
 * Why a target was not compared:
 * - `noVector`: it has none, in no space;
 * - `spaceMismatch`: it has, but not in the question's space; `unknownSpace`: so it is, and nothing here is of that space, or it
 *   has no name;
 * - `embedFailure`: it has, and the question could not be embedded;
 * - `wrongDimension`, `nonFinite`, `zero`: the one it has in the question's space cannot be compared.
 */
export type SkipReason = 'noVector' | 'spaceMismatch' | 'unknownSpace' | 'embedFailure' | Fault

export type Skipped = Readonly<Partial<Record<SkipReason, number>>>

/**
 * Counts what is left out in a namespace, by reason, without looking at single vectors.
 *
 * @param shelves of the namespace in the question's space; undefined when that is not known
 */
export function countSkipped(
  db: Database,
  ns: number,
  kind: TargetKind,
  shelves: readonly Shelf[] | undefined,
  dimension: number,
  add: (reason: SkipReason, count: number) => void,
): void {
  const withVector = countNoVector(db, ns, kind, add)
  if (shelves === undefined) {
    add('unknownSpace', withVector)
    return
  }
  let inSpace = 0
  for (const { dim, fault, live } of shelves) {
    inSpace += live
    if (fault !== '') add(fault as Fault, live)
    else if (dim !== dimension) add('wrongDimension', live)
  }
  add('spaceMismatch', withVector - inSpace)
}

/** Counts what is left out in some namespaces because a question could not be embedded, and what has no vector anyway. */
export function skippedUnembedded(db: Database, namespaces: readonly number[]): Skipped {
  const skipped: Partial<Record<SkipReason, number>> = {}
  const add = (reason: SkipReason, count: number): void => {
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  for (const ns of new Set(namespaces)) add('embedFailure', countNoVector(db, ns, 'block', add))
  return skipped
}

/** Counts the shown targets of a namespace without a vector. Returns how many have one, in whatever space. */
function countNoVector(
  db: Database,
  ns: number,
  kind: TargetKind,
  add: (reason: SkipReason, count: number) => void,
): number {
  const withVector = Number(
    statement(db, 'SELECT count FROM vector_targets WHERE ns = ? AND kind = ?').pluck().get(ns, kind) ?? 0,
  )
  if (kind === 'block') {
    const shown = Number(statement(db, 'SELECT blocks FROM recall_space WHERE ns = ?').pluck().get(ns) ?? 0)
    add('noVector', shown - withVector)
  }
  return withVector
}
